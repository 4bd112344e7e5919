import { test, expect } from '@playwright/test';

test('says how many berths are free', async ({ page }) => {
  await page.route('**/api/v1/berths', route => route.fulfill({ json: { free: 2, berths: ['B3', 'B4'] } }));
  await page.goto('/berths');
  await expect(page.getByRole('heading', { name: 'Berths' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('2 berths free');
});
