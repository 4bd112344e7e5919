import { test, expect } from '@playwright/test';

test('lists dangerous goods', async ({ page }) => {
  await page.goto('/cargo');
  await expect(page.getByRole('table', { name: 'Dangerous goods' })).toBeVisible();
});
