import { batch } from './api.js';
import { h, table } from './dom.js';

const ARRIVALS = 'query Arrivals($day: String!) { arrivals(day: $day) { vessel berth eta } }';
const ALERTS = 'query Alerts { alerts { text } }';

export async function page(root) {
  root.append(h('h1', {}, 'Dashboard'));
  const [arrivals, alerts] = await batch([
    { operationName: 'Arrivals', query: ARRIVALS, variables: { day: 'today' } },
    { operationName: 'Alerts', query: ALERTS },
  ]);
  const rows = arrivals.data?.arrivals ?? [];
  root.append(table('Arrivals', ['Vessel', 'Berth', 'ETA'], rows.map(a => [a.vessel, a.berth, a.eta])));
  if (alerts.data?.alerts)
    root.append(h('ul', { 'aria-label': 'Alerts' }, ...alerts.data.alerts.map(a => h('li', {}, a.text))));
}
