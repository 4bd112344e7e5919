import { send } from './api.js';
import { h } from './dom.js';

function stormNotice() {
  const close = h('button', {}, 'Understood');
  const notice = h('div', { class: 'notice', role: 'dialog', 'aria-label': 'Storm notice' },
    h('p', {}, 'Gale warning until 18:00. Double all lines.'), close);
  close.onclick = () => notice.remove();
  return notice;
}

export async function page(root) {
  const button = h('button', {}, 'Request mooring');
  root.append(h('h1', {}, 'Mooring'), button, stormNotice());
  button.onclick = async () => {
    const { number } = await send('/api/mooring', {});
    root.append(h('p', { role: 'status' }, `Request ${number} was received`));
  };
}
