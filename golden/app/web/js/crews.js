import { gql } from './api.js';
import { h, table } from './dom.js';

const CREWS = 'query Crews { crews { vessel captain { name } } }';

export async function page(root) {
  root.append(h('h1', {}, 'Crews'));
  const { data } = await gql('Crews', CREWS);
  if (!data) return;
  root.append(table('Crews', ['Vessel', 'Captain'], data.crews.map(c => [c.vessel, c.captain?.name ?? '(unknown)'])));
}
