import { get } from './api.js';
import { h } from './dom.js';

export async function page(root) {
  root.append(h('h1', {}, 'Weather'));
  const { outlook } = await get('/api/weather');
  root.append(h('p', { role: 'status' }, outlook));
}
