import { get } from './api.js';
import { h } from './dom.js';

export async function page(root) {
  root.append(h('h1', {}, 'Manifest'));
  const { cargo } = await get('/api/manifest');
  const items = cargo.map(one => h('li', {}, `Hold ${one.hold}: ${one.goods.name}`));
  root.append(h('ul', { 'aria-label': 'Cargo' }, ...items));
}
