import { test, expect } from '@playwright/test';

test('shows high and low water', async ({ page }) => {
  await page.goto('/tides');
  await expect(page.getByRole('table', { name: 'Tides' })).toBeVisible();
});
