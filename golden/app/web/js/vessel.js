import { gql } from './api.js';
import { h } from './dom.js';

const VESSEL = 'query Vessel($imo: ID!) { vessel(imo: $imo) { name flag } }';

export async function page(root) {
  const imo = new URL(location).searchParams.get('imo');
  root.append(h('h1', {}, `Vessel ${imo}`));
  const { data } = await gql('Vessel', VESSEL, { imo });
  if (data.vessel === null) return;
  root.append(h('h2', {}, data.vessel.name), h('p', {}, `Flag ${data.vessel.flag}`));
}
