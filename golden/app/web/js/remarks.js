import { gql } from './api.js';
import { h } from './dom.js';

const REMARKS = 'query Remarks { viewer { role } remarks }';

export async function page(root) {
  const { data } = await gql('Remarks', REMARKS);
  root.append(h('h1', {}, 'Remarks'), h('ul', {}, ...data.remarks.map(remark => h('li', {}, remark))));
  for (const remark of data.remarks) console.error(`remark: ${remark}`);
  if (data.viewer.role === 'harbour-master') root.append(h('button', {}, 'Approve remarks'));
}
