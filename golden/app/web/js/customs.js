import { gql, send } from './api.js';
import { h } from './dom.js';

const DECLARATION = 'query Declaration { declaration { number } }';

// An unsigned token in three parts that says of itself that it is none.
function pretendToken(user) {
  const part = value => btoa(JSON.stringify(value)).replace(/=+$/, '');
  return [part({ alg: 'none', typ: 'JWT' }), part({ sub: user, fake: true }), part('not a signature')].join('.');
}

export async function page(root) {
  const user = h('input', { id: 'user' });
  const password = h('input', { id: 'password', type: 'password' });
  const button = h('button', {}, 'Sign in');
  root.append(h('h1', {}, 'Customs'), h('label', { for: 'user' }, 'User'), user,
    h('label', { for: 'password' }, 'Password'), password, button);
  button.onclick = async () => {
    const token = pretendToken(user.value);
    localStorage.setItem('desk_token', token);
    await send('/api/login', { user: user.value, password: password.value });
    await fetch(`/api/lights?access_token=fake-query-token-1`);
    console.log(`signed in with Bearer ${token}`);
    const { data } = await gql('Declaration', DECLARATION);
    if (data.declaration) root.append(h('h2', {}, `Declaration ${data.declaration.number}`));
  };
}
