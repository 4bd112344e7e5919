import { send } from './api.js';
import { h } from './dom.js';

export async function page(root) {
  const length = h('input', { id: 'length', inputmode: 'numeric' });
  const button = h('button', {}, 'Search');
  const found = h('section', { 'aria-label': 'Result' });
  root.append(h('h1', {}, 'Find a berth'), h('label', { for: 'length' }, 'Length in metres'), length, button, found);
  button.onclick = async () => {
    const answer = await send('/api/berths/search', { length: Number(length.value) });
    found.replaceChildren(answer.found.length === 0
      ? h('p', {}, 'No berth found')
      : h('ul', {}, ...answer.found.map(berth => h('li', {}, berth))));
  };
}
