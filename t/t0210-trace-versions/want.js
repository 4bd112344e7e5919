// want.js FOLDER: a line for each result of oracle.js: name, status, title, failing step, place, error.
const fs = require('fs');
const dir = process.argv[2], names = { 'counts the mocked books': 'mocks', 'clicks through a veil': 'veil', 'waits too long': 'timeout',
  'never begins': 'hook', 'ends well before its hook': 'late-hook', 'goes on after a soft failure': 'soft', 'opens a second page': 'pages',
  'asks without a page': 'api', 'throws in a step — ünïcode': 'step', 'sees what a page does by itself': 'events', 'polls in vain': 'poll',
  'tries until it passes': 'to-pass', 'is meant to fail': 'fail', 'needs a broken fixture': 'fixture' };
for (const line of fs.readFileSync(dir + '/oracle.ndjson', 'utf8').trim().split('\n')) {
  const r = JSON.parse(line), first = r.errors[0];
  const retried = s => s.path.slice(0, -1).some(p => /poll|toPass/.test(p));
  const late = s => /^(After Hooks|Worker Cleanup)/.test(s.path[0]);
  const timeout = first && /^Test timeout/.test(first.message);
  let steps = r.steps.filter(s => !retried(s) && (timeout ? s.error || s.open : s.error && first && s.error === first.message));
  if (steps.some(s => !late(s))) steps = steps.filter(s => !late(s));
  const step = steps.reduce((a, b) => !a || b.depth >= a.depth ? b : a, null);
  const title = step && (step.category === 'pw:api' ? step.title.replace(/^(\w+\.\w+)\(.*$/s, '$1') : step.title);
  console.log([names[r.title], r.status, r.title, title || '-', (step && step.place) || '-', first ? first.message.split('\n')[0] : '-'].join('\t'));
  if (process.argv[3] && r.trace) fs.copyFileSync(`${dir}/${r.trace}/trace.zip`, `${process.argv[3]}/${names[r.title]}.zip`);
}
