import { test, expect } from '@playwright/test';

test.use({ baseURL: 'http://localhost:8643' });

test('hands the watch over', async ({ page }) => {
  await page.goto('/handover');
  await page.getByRole('button', { name: 'Hand over' }).click();
  await expect(page.getByRole('status')).toHaveText('The watch is yours');
});
