import { test, expect } from '@playwright/test';

test('finds a berth that is long enough', async ({ page }) => {
  await page.route('**/api/berths/search', async route => {
    if (route.request().method() === 'GET') await route.fulfill({ json: { found: ['Quay 9'] } });
    else await route.continue();
  });
  await page.goto('/search');
  await page.getByLabel('Length in metres').fill('180');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('listitem')).toHaveText('Quay 9');
});
