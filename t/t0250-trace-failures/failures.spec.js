// Each test fails, and for one known reason: want has what is to be told of it, looked over by hand.
const { test: base, expect: baseExpect } = require('@playwright/test');
const fs = require('fs');
const test = base.extend({
  slowTeardown: async ({}, use) => { await use(1); await new Promise(f => setTimeout(f, 20000)); },
  badTeardown: async ({}, use) => { await use(1); throw new Error('teardown broke'); },
  shop: async ({ page }, use) => { await page.goto('/'); await page.getByRole('button', { name: 'Missing' }).click(); await use(page); },
  todo: [async ({ page }, use) => { await page.goto('/'); await use({ add: t => test.step('add ' + t, async () => { await page.getByLabel('New').fill(t); }, { box: true }) }); }, { scope: 'test', title: 'my todo' }],
});
const expect = baseExpect.extend({
  async toHaveAmount(locator, expected) {
    let pass, m;
    try { await baseExpect(locator).toHaveAttribute('data-amount', String(expected), { timeout: 300 }); pass = true; } catch (e) { m = e.matcherResult; pass = false; }
    return { pass, name: 'toHaveAmount', expected, actual: m?.actual, message: () => this.utils.matcherHint('toHaveAmount', undefined, undefined, {}) + '\n\nExpected: ' + expected + '\nReceived: ' + m?.actual };
  },
  toBeOdd(n) { return { pass: n % 2 === 1, message: () => `expected ${n} to be odd` }; },
});
test('soft then click times out', async ({ page }) => {
  await page.goto('/');
  expect.soft(1 + 1, 'sum').toBe(3);
  await page.getByRole('link', { name: /buy.*now/i }).click();
});
test('poll with matcher', async ({ page }) => {
  await page.goto('/');
  await expect.poll(async () => (await page.locator('li').allTextContents()).join(), { message: 'items', timeout: 700, intervals: [100] }).toContain('Three');
});
test('toPass with inner', async ({ page }) => {
  await page.goto('/');
  await expect(async () => {
    const n = await page.locator('#n').textContent({ timeout: 200 });
    expect(Number(n)).toBeGreaterThan(1000);
  }).toPass({ timeout: 700, intervals: [100] });
});
test('nested steps', async ({ page }) => {
  await test.step('open', async () => { await page.goto('/'); });
  await test.step('order', async () => {
    await test.step('pick', async () => { await page.getByRole('button', { name: 'Save', exact: true }).click(); });
    await test.step('pay', async () => { await expect(page.getByText('Thanks')).toBeVisible(); });
  });
});
test('boxed step in fixture', async ({ todo }) => { await todo.add('milk'); });
test('custom matcher', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('#n')).toHaveAmount(4);
});
test('fixture teardown fails', async ({ page, badTeardown }) => { await page.goto('/'); });
test('fixture teardown hangs', async ({ page, slowTeardown }) => { await page.goto('/'); await page.getByRole('button', {name: 'Save', exact: true}).click(); });
test('screenshot differs', async ({ page }) => { await page.goto('/data'); await expect(page.locator('h1')).toHaveScreenshot('h1.png'); });
test('strict', async ({ page }) => { await page.goto('/'); await page.getByRole('button', { name: 'Save' }).click(); });
test('navigation times out', async ({ page }) => { await page.goto('/hang', { timeout: 900 }); });
test('redirect loop', async ({ page }) => { await page.goto('/loop'); });
test('page crash', async ({ page }) => { await page.goto('/'); await page.goto('chrome://crash').catch(() => {}); await expect(page.locator('h1')).toHaveText('Home'); });
test('page closed', async ({ page }) => { await page.goto('/'); setTimeout(() => page.close(), 300); await page.getByText('Never').click(); });
test('frame locator misses', async ({ page }) => { await page.goto('/frame'); await page.frameLocator('iframe[name=pay]').getByRole('button', { name: 'Confirm' }).click(); });
test('array text', async ({ page }) => { await page.goto('/'); await expect(page.getByRole('listitem')).toHaveText(['One', 'Two', 'Three']); });
test('has attribute', async ({ page }) => { await page.goto('/'); await expect(page.getByRole('button').first()).toHaveAttribute('disabled', ''); });
test('toEqual object', async ({ request }) => { const r = await request.get('/api/items'); expect(await r.json()).toEqual({ items: ['a', 'c'], total: 2 }); });
test('toBeOK', async ({ request }) => { const r = await request.get('/nothing'); await expect(r).toBeOK(); });
test('fetch then fulfil changed', async ({ page }) => {
  await page.route('**/api/items*', async route => { const r = await route.fetch(); const j = await r.json(); j.items.push('mock'); await route.fulfill({ response: r, json: j }); });
  await page.goto('/data'); await expect(page.locator('#o')).toContainText('"d"');
});
test('fallback chain', async ({ page }) => {
  await page.route('**/api/items*', route => route.fulfill({ json: { items: [] } }));
  await page.route('**/*', route => route.fallback({ headers: { ...route.request().headers(), 'x-a': '1' } }));
  await page.route('**/api/**', async route => { if (route.request().method() === 'POST') return route.abort(); await route.fallback(); });
  await page.goto('/data'); await expect(page.locator('#o')).toHaveText('200 {"items":["z"]}');
});
test('har routing', async ({ page }) => {
  const entry = { startedDateTime: '2026-01-01T00:00:00.000Z', time: 1, request: { method: 'GET', url: 'http://localhost:8652/api/items?x=1', httpVersion: 'HTTP/1.1', headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: -1 },
    response: { status: 500, statusText: 'Oops', httpVersion: 'HTTP/1.1', headers: [{ name: 'content-type', value: 'application/json' }], cookies: [], content: { size: 2, mimeType: 'application/json', text: '{}' }, redirectURL: '', headersSize: -1, bodySize: -1 }, cache: {}, timings: { send: 0, wait: 1, receive: 0 } };
  fs.writeFileSync('x.har', JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [entry] } }));
  await page.routeFromHAR('x.har', { url: '**/api/**' });
  await page.goto('/data'); await expect(page.locator('#o')).toHaveText('200 x');
});
test('wait for response', async ({ page }) => { await page.goto('/'); await page.waitForResponse('**/api/orders', { timeout: 600 }); });
test('wait for url', async ({ page }) => { await page.goto('/'); await page.waitForURL('**/done', { timeout: 600 }); });
test('plain throw with cause', async ({ page }) => { await page.goto('/'); throw new Error('outer', { cause: new TypeError('inner cause') }); });
test('uncaught in timer', async ({ page }) => { await page.goto('/'); setTimeout(() => { throw new Error('late'); }, 100); await page.waitForTimeout(600); });
test('test times out in plain code', async ({ page }) => { test.setTimeout(1500); await page.goto('/'); await new Promise(() => {}); });
test('step timeout', async ({ page }) => { await page.goto('/'); await test.step('short', async () => { await page.waitForTimeout(3000); }, { timeout: 400 }); });
test('filter and nth', async ({ page }) => { await page.goto('/'); await page.getByRole('listitem').filter({ hasText: 'One' }).nth(2).locator('css=b').or(page.getByTestId('q')).first().hover(); });
test('parallel expects', async ({ page }) => { await page.goto('/'); await Promise.all([expect(page.locator('h1')).toHaveText('A', { timeout: 300 }), expect(page.locator('h1')).toHaveText('B', { timeout: 2000 })]); });
test('caught then later fails', async ({ page }) => {
  await page.goto('/');
  try { await page.getByText('Cookie').click({ timeout: 300 }); } catch {}
  await expect(page.locator('h1')).toHaveText('Later');
});
test('described locator', async ({ page }) => { await page.goto('/'); await page.getByRole('button', { name: 'Subscribe' }).describe('the subscribe button').click(); });
test('described in an assertion', async ({ page }) => { await page.goto('/'); await expect(page.getByTestId('total').describe('the grand total')).toHaveText('3'); });
test('dragged onto nothing', async ({ page }) => { await page.goto('/'); await page.getByText('One').dragTo(page.getByTestId('basket')); });
test('drag and drop', async ({ page }) => { await page.goto('/'); await page.dragAndDrop('li', '#basket'); });
test('toHaveProperty', async ({ request }) => { const r = await request.get('/api/items'); expect(await r.json()).toHaveProperty('items.length', 4); });
test('no such property', async ({ request }) => { const r = await request.get('/api/items'); expect(await r.json()).toHaveProperty('total.net'); });
