import { test, expect } from '@playwright/test';

test('shows the draught of a vessel', async ({ page }) => {
  await page.goto('/register');
  await expect(page.getByRole('heading', { name: 'Calypso' })).toBeVisible();
  await expect(page.getByText('Draught')).toBeVisible();
});
