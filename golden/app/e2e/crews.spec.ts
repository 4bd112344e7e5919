import { test, expect } from '@playwright/test';

test('names every captain', async ({ page }) => {
  await page.goto('/crews');
  await expect(page.getByRole('cell', { name: 'Ada Lind' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Ines Duarte' })).toBeVisible();
});
