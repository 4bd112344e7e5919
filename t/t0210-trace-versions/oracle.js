// A reporter: what Playwright itself says of each result, a line each, to results/oracle.ndjson.
const fs = require('fs');
const bare = t => String(t || '').replace(/\u001b\[[0-9;]*m/g, '');
const place = l => l ? l.file.replace(/.*[\/\\]/, '') + ':' + l.line : undefined;
module.exports = class {
  onTestEnd(test, result) {
    const errors = (result.errors && result.errors.length ? result.errors : result.error ? [result.error] : []);
    const steps = [];
    const walk = (list, depth, path) => list.forEach(s => {
      steps.push({ title: s.title, category: s.category, depth, place: place(s.location), error: s.error && bare(s.error.message),
        path: path.concat(s.title), open: s.duration < 0 });
      walk(s.steps || [], depth + 1, path.concat(s.title));
    });
    walk(result.steps || [], 0, []);
    const trace = result.attachments.find(a => a.name === 'trace');
    fs.mkdirSync('results', { recursive: true });
    fs.appendFileSync('results/oracle.ndjson', JSON.stringify({
      title: test.title, status: result.status, expected: test.expectedStatus, line: test.location.line,
      trace: trace && trace.path.replace(/.*[\/\\]([^\/\\]+)[\/\\]trace\.zip$/, '$1'),
      errors: errors.map(e => ({ message: bare(e.message || e.value), place: place(e.location) })), steps }) + '\n');
  }
  printsToStdio() { return false; }
};
