import { test, expect } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('desk_token', 'fake-agent-token'));
});

test('shows arrivals and alerts', async ({ page }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('cell', { name: 'Calypso' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Alerts' })).toBeVisible();
});
