import { get } from './api.js';
import { h } from './dom.js';

function tideChart(flags) {
  if (!flags.tideChart) return '';
  return h('figure', { 'aria-label': 'Tide chart' }, h('figcaption', {}, 'Next 24 hours'));
}

export async function page(root) {
  const flags = await get('/api/flags');
  root.append(h('h1', {}, 'Tide station'), h('p', {}, 'Outer buoy'), tideChart(flags));
}
