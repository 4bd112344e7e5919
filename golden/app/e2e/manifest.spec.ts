import { test, expect } from '@playwright/test';

test('lists the cargo', async ({ page }) => {
  await page.goto('/manifest');
  await expect(page.getByRole('list', { name: 'Cargo' }).getByRole('listitem')).toHaveCount(2);
});
