import { get } from './api.js';
import { h, table } from './dom.js';

export async function page(root) {
  const { charges } = await get('/api/charges');
  let total = 0;
  for (const charge of charges) total += charge.amount;
  root.append(
    h('h1', {}, 'Harbour dues'),
    table('Charges', ['What', 'EUR'], charges.map(charge => [charge.what, charge.amount])),
    h('p', { role: 'status' }, `Total ${Number(total)} EUR`));
}
