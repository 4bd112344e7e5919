import { test, expect } from '@playwright/test';

test('warns of a storm', async ({ page }) => {
  await page.goto('/weather');
  await expect(page.getByRole('status')).toBeVisible();
  await page.route('**/api/weather', route => route.fulfill({ json: { outlook: 'Storm, wind 10' } }));
  await expect(page.getByRole('status')).toHaveText('Storm, wind 10');
});
