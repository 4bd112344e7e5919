// What fails here fails for one known reason each; t0210-trace-versions.sh says which.
const { test, expect, request: api } = require('@playwright/test');
const base = 'http://localhost:8651';

test.describe('mocks', () => {
  test('counts the mocked books', async ({ page }) => {
    await page.route('**/api/v2/books', route => route.fulfill({ body: '{}' }));
    await page.route(/api\/count/, route => route.abort());
    await page.route('**/api/books', route => route.fulfill({
      contentType: 'application/json', body: JSON.stringify({ books: ['Emma'] }) }));
    await page.goto(base + '/shelf');
    await expect(page.locator('#total')).toHaveText('2 books', { timeout: 600 });
  });
});

test('clicks through a veil', async ({ page }) => {
  await page.goto(base + '/cover');
  await page.locator('#go').click({ timeout: 700 });
});

test('waits too long', async ({ page }) => {
  test.setTimeout(2500);
  await page.goto(base + '/shelf');
  await test.step('find the shop', async () => {
    await page.locator('text=Nowhere').click();
  });
});

test.describe('with a hook', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto(base + '/other');
    throw new Error('the hook is off');
  });
  test('never begins', async ({ page }) => { await page.goto(base + '/shelf'); });
});

test.describe('with a late hook', () => {
  test.afterEach(async () => { expect(1 + 1).toBe(3); });
  test('ends well before its hook', async ({ page }) => { await page.goto(base + '/other'); });
});

test('goes on after a soft failure', async ({ page }) => {
  test.skip(!expect.soft, 'no soft assertions');
  await page.goto(base + '/other');
  await expect.soft(page.locator('h2')).toHaveText('Another page', { timeout: 300 });
  await page.locator('button').click();
});

test('opens a second page', async ({ page, browser }) => {
  await page.goto(base + '/shelf');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator('a').click()]);
  await popup.waitForLoadState();
  const context = await browser.newContext();
  const far = await context.newPage();
  await far.goto(base + '/frame');
  await expect(far.frameLocator('iframe').locator('button')).toHaveText('Outer', { timeout: 400 });
  await context.close();
});

test('asks without a page', async () => {
  const c = await api.newContext();
  await c.get(base + '/api/books');
  await c.post(base + '/api/count', { data: { seen: 2 } });
  await c.get('http://localhost:1/refused').catch(() => {});
  const r = await c.get(base + '/sjis');
  expect(r.status()).toBe(204);
});

test('throws in a step — ünïcode', async ({ page }) => {
  await page.goto(base + '/old');
  await test.step('outer', async () => {
    await test.step('inner', async () => { throw new TypeError('plain\ncode'); });
  });
});

test('sees what a page does by itself', async ({ page }) => {
  page.on('dialog', d => d.dismiss());
  await page.goto(base + '/shelf');
  await page.locator('#buy').click();
  await page.evaluate(() => { console.warn('careful'); console.log(null, { a: 1 }); alert('hello'); });
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.evaluate(() => { const a = document.createElement('a'); a.href = '/file'; document.body.append(a); a.click(); })]);
  await download.path();
  await page.waitForTimeout(100);
});

test('polls in vain', async ({ page }) => {
  test.skip(!expect.poll, 'no poll');
  await page.goto(base + '/other');
  await expect.poll(() => page.locator('li').count(), { timeout: 500 }).toBe(2);
});

test('tries until it passes', async ({ page }) => {
  test.skip(!/toPass/.test(String(Object.getOwnPropertyNames(Object.getPrototypeOf(expect(() => {})) || {}))) && !expect.poll, 'no toPass');
  await page.goto(base + '/other');
  await expect(async () => {
    await expect(page.locator('h2')).toHaveText('Never', { timeout: 50 });
  }).toPass({ timeout: 400 });
});

test('is meant to fail', async ({ page }) => {
  test.fail();
  await page.goto(base + '/other');
  expect(await page.title()).toBe('Mine');
});

const broken = test.extend({ shop: async ({ page }, use) => {
  await page.goto(base + '/other');
  throw new Error('no shop');
} });
broken('needs a broken fixture', async ({ shop }) => { await shop.open(); });
