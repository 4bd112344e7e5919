import { gql } from './api.js';
import { h, table } from './dom.js';

const ARRIVALS = 'query Arrivals($day: String!) { arrivals(day: $day) { vessel berth eta } }';

export async function page(root) {
  root.append(h('h1', {}, 'Arrivals'));
  const { data } = await gql('Arrivals', ARRIVALS, { day: 'today' });
  if (!data?.arrivals) return;
  root.append(table('Arrivals', ['Vessel', 'Berth', 'ETA'], data.arrivals.map(a => [a.vessel, a.berth, a.eta])));
}
