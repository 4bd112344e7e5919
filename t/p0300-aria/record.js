// Record the pages of a table with Playwright: their snapshots in a trace, and what ariaSnapshot() says.
// usage: node record.js TABLE FOLDER; leaves FOLDER/trace.zip and FOLDER/want.
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const [table, out] = process.argv.slice(2);
const pages = fs.readFileSync(table, 'utf8').split(/^=== /m).slice(1).map(text => {
  const end = text.indexOf('\n');
  return { name: text.slice(0, end), html: text.slice(end + 1) };
});
const head = '<!DOCTYPE html><meta charset=utf-8><title>t</title>\n';

async function answer(route) {
  const url = new URL(route.request().url());
  const page = pages.find(p => '/' + p.name + '.html' === url.pathname);
  const file = path.join(path.dirname(table), path.normalize(url.pathname));
  if (page)
    return route.fulfill({ contentType: 'text/html; charset=utf-8', body: head + page.html });
  const type = { '.css': 'text/css', '.js': 'text/javascript' }[path.extname(file)];
  if (type && fs.existsSync(file))
    return route.fulfill({ contentType: type, body: fs.readFileSync(file, 'utf8') });
  return route.fulfill({ status: 404, body: '' });
}

(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox',
    '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'] });
  const context = await browser.newContext();
  await context.route('**/*', answer);
  await context.tracing.start({ snapshots: true });
  let want = '';
  for (const { name } of pages) {
    const page = await context.newPage();
    await page.goto(`http://pages.test/${name}.html`);
    await page.evaluate('0'); // takes a snapshot; ariaSnapshot() takes none
    const lines = await page.locator('body').ariaSnapshot();
    want += `# http://pages.test/${name}.html\n` + (lines ? lines + '\n' : '');
    await page.close();
  }
  await context.tracing.stop({ path: path.join(out, 'trace.zip') });
  fs.writeFileSync(path.join(out, 'want'), want);
  await browser.close();
})();
