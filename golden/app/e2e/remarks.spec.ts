import { test, expect } from '@playwright/test';

test('approves remarks', async ({ page }) => {
  await page.goto('/remarks');
  await expect(page.getByRole('heading', { name: 'Remarks' })).toBeVisible();
  await page.getByRole('button', { name: 'Approve remarks' }).click();
});
