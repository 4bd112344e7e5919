import { test, expect } from '@playwright/test';

test('adds up the dues', async ({ page }) => {
  await page.goto('/fees');
  await expect(page.getByRole('table', { name: 'Charges' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Total 200 EUR');
});
