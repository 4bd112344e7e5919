import { get } from './api.js';
import { h } from './dom.js';

export async function page(root) {
  const { cranes } = await get('/api/cranes');
  const idle = cranes.filter(crane => crane.state === 'idle');
  root.append(h('h1', {}, 'Cranes'), h('p', { role: 'status' }, `${idle.length} cranes idle`));
}
