import { test, expect } from '@playwright/test';

const today = [{ vessel: 'Aurora', berth: 'B4', eta: '06:40' }, { vessel: 'Borealis', berth: 'B2', eta: '07:15' }];

test('lists the arrivals of today', async ({ page }) => {
  await page.route('**/graphql', async route => {
    const { operationName } = route.request().postDataJSON();
    if (operationName !== 'ListArrivals') return route.fallback();
    await route.fulfill({ json: { data: { arrivals: today } } });
  });
  await page.goto('/arrivals');
  await expect(page.getByRole('table', { name: 'Arrivals' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Aurora' })).toBeVisible();
});
