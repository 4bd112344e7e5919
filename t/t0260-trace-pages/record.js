// record.js FOLDER: library traces of what pages do by themselves, one a kind, written to FOLDER.
const { chromium } = require(process.argv[3] || 'playwright-core');
require('./server.js');
const dir = process.argv[2], base = 'http://localhost:8653';
(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  const traced = async (name, code, options) => {
    const context = await browser.newContext({ baseURL: base, ...options });
    await context.tracing.start({ snapshots: true, screenshots: false, title: name });
    const page = await context.newPage();
    await code(page, context);
    await context.tracing.stop({ path: `${dir}/${name}.zip` }).catch(() => {});
    await context.close();
  };
  await traced('sockets', async page => { await page.goto('/sockets'); await page.locator('li').nth(5).waitFor(); await page.waitForTimeout(200); });
  await traced('worker', async page => { await page.goto('/worker'); await page.getByText('made by the worker from the server').waitFor(); });
  await traced('groups', async (page, context) => {
    await context.tracing.group('shop', { location: { file: '/app/shop.js', line: 7, column: 3 } });
    await page.goto('/');
    await context.tracing.group('pay');
    await page.getByText('No such text').click({ timeout: 300 }).catch(() => {});
    await context.tracing.groupEnd();
    await context.tracing.groupEnd();
    await page.getByRole('heading').click();
  });
  await traced('page', async page => {
    page.on('dialog', d => d.type() === 'prompt' ? d.accept('Ann') : d.dismiss());
    await page.goto('/hop');
    await page.evaluate(() => { alert('first'); confirm('sure?'); return prompt('name?', 'nobody'); });
    await page.goto('/');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Get the file').click()]);
    await download.path();
    await page.evaluate(async () => { for (const u of ['/cached.json', '/cached.json', '/etag', '/etag', '/latin.json', '/utf16.txt', '/gone']) await (await fetch(u)).text(); });
    await page.goto('/sjis');
  });
  await traced('frames', async (page, context) => {
    await page.goto('/frames');
    const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => { window.open('/popup'); })]);
    await popup.waitForLoadState();
    await popup.getByRole('heading').click();
    await popup.close();
    await page.frameLocator('iframe[title=Inner]').getByRole('button', { name: 'Outside' }).click({ timeout: 400 }).catch(() => {});
  });
  const context = await browser.newContext({ baseURL: base });
  await context.tracing.start({ snapshots: true, screenshots: false });
  const page = await context.newPage();
  await page.goto('/');
  await context.tracing.startChunk({ title: 'one' });
  await page.goto('/landed');
  await context.tracing.stopChunk({ path: `${dir}/chunk-1.zip` });
  await context.tracing.startChunk({ title: 'two' });
  await page.evaluate(() => fetch('/cached.json'));
  await page.getByText('Never').click({ timeout: 300 }).catch(() => {});
  await context.tracing.stopChunk({ path: `${dir}/chunk-2.zip` });
  await browser.close();
  process.exit(0);
})();
