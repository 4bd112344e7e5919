import { get } from './api.js';
import { h, table } from './dom.js';

export async function page(root) {
  const wait = h('p', { role: 'status' }, 'Loading tides…');
  root.append(h('h1', {}, 'Tides'), wait);
  const { high, low } = await get('/api/tides');
  wait.replaceWith(table('Tides', ['High', 'Low'], [[high, low]]));
}
