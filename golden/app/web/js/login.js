import { h } from './dom.js';

export async function page(root) {
  root.append(h('h1', {}, 'Sign in'), h('label', { for: 'user' }, 'User'), h('input', { id: 'user' }),
    h('button', {}, 'Sign in'));
}
