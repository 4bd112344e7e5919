import { get } from './api.js';
import { h } from './dom.js';

export async function page(root) {
  root.append(h('h1', {}, 'Berths'));
  const { free, berths } = await get('/api/berths');
  root.append(h('p', { role: 'status' }, `${free} berths free`), h('ul', {}, ...berths.map(b => h('li', {}, b))));
}
