import { h } from './dom.js';

export async function page(root) {
  root.append(h('h1', {}, 'Bookings'), h('p', {}, 'No bookings for today'));
}
