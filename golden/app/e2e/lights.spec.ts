import { test, expect } from '@playwright/test';

test('lists the lights', async ({ page }) => {
  await page.goto('/lights');
  await expect(page.getByRole('cell', { name: 'North mole' })).toBeVisible();
});
