import { test, expect } from '@playwright/test';

test('draws the tide chart', async ({ page }) => {
  await page.goto('/station');
  await expect(page.getByRole('heading', { name: 'Tide station' })).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Tide chart' })).toBeVisible();
});
