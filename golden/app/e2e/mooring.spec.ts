import { test, expect } from '@playwright/test';

test('requests a mooring', async ({ page }) => {
  await page.goto('/mooring');
  await page.getByRole('button', { name: 'Request mooring' }).click();
  await expect(page.getByRole('status')).toHaveText('Request 17 was received');
});
