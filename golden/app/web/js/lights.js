import { get } from './api.js';
import { h, table } from './dom.js';

export async function page(root) {
  const { lights } = await get('/api/lights');
  root.append(h('h1', {}, 'Lights'), table('Lights', ['Name', 'State'], lights.map(l => [l.name, l.lit ? 'lit' : 'dark'])));
}
