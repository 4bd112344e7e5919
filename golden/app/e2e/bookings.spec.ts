import { test, expect } from '@playwright/test';

test.beforeEach(async ({ context }) => {
  await context.addCookies([{ name: 'desk_session', value: 'fake-session-old', domain: 'localhost', path: '/' }]);
});

test('opens the bookings of today', async ({ page }) => {
  await page.goto('/bookings');
  await expect(page.getByRole('heading', { name: 'Bookings' })).toBeVisible();
});
