import { test, expect } from '@playwright/test';
test.describe('cart', () => {
  test('adds', async () => { expect(1 + 1).toBe(2); });
  test('removes', async ({}, info) => { expect(info.retry, 'wrong on the first attempt').toBe(1); });
  test('totals', async () => { expect({ total: 3 }).toEqual({ total: 4 }); });
  for (const n of [1, 2]) test(`takes ${n} of them`, async () => { expect(n).toBeGreaterThan(0); });
});
test.describe('basket', () => {
  test('adds', async ({}, info) => { expect(info.project.name).toBe('alpha'); });
});
test('räumt „alles“ <leer> & 🛒 auf', async () => { expect('leer').toContain('ee'); });
