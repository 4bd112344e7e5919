import { gql } from './api.js';
import { h } from './dom.js';

const TUGS = 'query Tugs { tugs { name } }';

export async function page(root) {
  const list = h('ul', { 'aria-label': 'Tugs' });
  const button = h('button', {}, 'Refresh');
  const refresh = async () => {
    const { data } = await gql('Tugs', TUGS);
    list.replaceChildren(...(data?.tugs ?? []).map(tug => h('li', {}, tug.name)));
  };
  button.onclick = refresh;
  root.append(h('h1', {}, 'Tugs'), button, list);
  await refresh();
}
