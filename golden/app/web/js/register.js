import { gql } from './api.js';
import { h } from './dom.js';

const REGISTER = 'query Register($imo: ID!) { vessel(imo: $imo) { name flag draught } }';

export async function page(root) {
  root.append(h('h1', {}, 'Register'));
  const { data } = await gql('Register', REGISTER, { imo: '9000114' });
  if (data?.vessel) root.append(h('h2', {}, data.vessel.name), h('p', {}, `Draught ${data.vessel.draught} m`));
}
