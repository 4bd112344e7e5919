function authorization() {
  const token = localStorage.getItem('desk_token');
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function post(url, value) {
  const headers = { 'content-type': 'application/json', ...authorization() };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) });
  return response.json();
}

export const gql = (operationName, query, variables = {}) => post('/graphql', { operationName, query, variables });
export const batch = operations => post('/graphql', operations);
export const send = post;
export const get = async url => (await fetch(url)).json();
