import { test, expect } from '@playwright/test';

test('shows the flag of a vessel', async ({ page }) => {
  await page.goto('/vessel?imo=9000141');
  await expect(page.getByText('Flag NL')).toBeVisible();
});
