import { test, expect } from '@playwright/test';

const cranes = [{ name: 'North', state: 'idle' }, { name: 'East', state: 'busy' }, { name: 'South', state: 'idle' }];

test('counts idle cranes', async ({ page }) => {
  await page.route('**/api/cranes', route => route.fulfill({ json: { cranes } }));
  await page.goto('/cranes');
  await expect(page.getByRole('status')).toHaveText('3 cranes idle');
});
