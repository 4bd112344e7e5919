import { test, expect } from '@playwright/test';

const origin = 'http://localhost:8642';

test.use({
  storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'desk_token', value: 'fake-january-token' }] }] },
});

test('shows who is on duty', async ({ page }) => {
  await page.goto('/pilots');
  await expect(page.getByRole('list', { name: 'On duty' })).toBeVisible();
});
