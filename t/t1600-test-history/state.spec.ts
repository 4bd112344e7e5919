import { test, expect } from '@playwright/test';
test.skip('not yet', async () => {});
test.fixme('to be mended', async () => {});
test('fails, as said', async () => { test.fail(); expect(1).toBe(2); });
test('passes, against what was said', async () => { test.fail(); expect(1).toBe(1); });
test('never ends', async () => { await new Promise(() => {}); });
test('ends late once', async ({}, info) => { if (info.retry === 0) await new Promise(() => {}); });
test('throws', async () => { throw new TypeError("Cannot read properties of undefined (reading 'id')"); });
test('soft', async () => { expect.soft(1).toBe(2); expect.soft('a').toBe('b'); });
test.describe('behind a broken hook', () => {
  test.beforeAll(async () => { throw new Error('no database'); });
  test('first', async () => {});
  test('second', async () => {});
});
test.describe.serial('one after another', () => {
  test('breaks', async () => { expect(0).toBe(1); });
  test('is not reached', async () => {});
});
