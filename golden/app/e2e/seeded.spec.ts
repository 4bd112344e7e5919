import { test, expect } from '@playwright/test';

test.describe('with the winter data', () => {
  test.describe.configure({ timeout: 3000 });

  test.beforeEach(async ({ request }) => {
    await request.get('/api/seed?set=winter', { timeout: 0 });
  });

  test('shows the ice classes', async ({ page }) => {
    await page.goto('/vessel?imo=9000114');
    await expect(page.getByText('Ice class 1A')).toBeVisible();
  });
});
