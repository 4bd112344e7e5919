// What fails around the tests: hooks and fixtures of the worker.
const { test: base, expect } = require('@playwright/test');
const test = base.extend({ db: [async ({}, use) => { throw new Error('no database'); }, { scope: 'worker' }] });
test.describe('before all', () => {
  test.beforeAll(async ({ browser }) => { const p = await browser.newPage(); await p.goto('http://localhost:8652/'); await expect(p.locator('h1')).toHaveText('Ready'); });
  test('never runs', async ({ page }) => { await page.goto('/'); });
});
test('worker fixture', async ({ db, page }) => { await page.goto('/'); });
test.describe('after all', () => {
  test.afterAll(async () => { throw new Error('cleanup failed'); });
  test('last one', async ({ page }) => { await page.goto('/'); });
});
test.describe('after each and test', () => {
  test.afterEach(async ({ page }) => { await expect(page.locator('h1')).toHaveText('Bye'); });
  test('both fail', async ({ page }) => { await page.goto('/'); await page.getByText('Zzz').click(); });
});
test.describe('before each times out', () => {
  test.beforeEach(async ({ page }) => { test.setTimeout(1500); await page.goto('/'); await page.locator('#never').waitFor({ timeout: 0 }); });
  test('no chance', async ({ page }) => { await page.goto('/'); });
});
