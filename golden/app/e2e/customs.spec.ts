import { test, expect } from '@playwright/test';

test('reads a declaration', async ({ page, context }) => {
  await context.addCookies([{ name: 'desk_session', value: 'fake-session-7c1', domain: 'localhost', path: '/' }]);
  await page.goto('/customs');
  await page.getByLabel('User').fill('nobody');
  await page.getByLabel('Password').fill('not-a-real-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Declaration' })).toBeVisible();
});
