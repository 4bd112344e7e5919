import { gql } from './api.js';
import { h } from './dom.js';

const PILOTS = 'query Pilots { pilots { name onDuty } }';

export async function page(root) {
  root.append(h('h1', {}, 'Pilots'));
  const { data } = await gql('Pilots', PILOTS);
  const onDuty = data?.pilots.filter(p => p.onDuty) ?? [];
  if (onDuty.length === 0) return root.append(h('p', {}, 'Nobody is on duty'));
  root.append(h('ul', { 'aria-label': 'On duty' }, ...onDuty.map(p => h('li', {}, p.name))));
}
