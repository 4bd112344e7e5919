// h('td', { class: 'x' }, 'text', child): an element; text is never taken as HTML.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function table(name, columns, rows) {
  return h('table', { 'aria-label': name },
    h('thead', {}, h('tr', {}, ...columns.map(column => h('th', {}, column)))),
    h('tbody', {}, ...rows.map(row => h('tr', {}, ...row.map(cell => h('td', {}, cell))))));
}
