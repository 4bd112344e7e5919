import { test, expect } from '@playwright/test';

test('keeps the list over refreshes', async ({ page }) => {
  await page.goto('/tugs');
  for (let round = 1; round <= 5; round++) {
    await test.step(`refresh ${round}`, async () => {
      const answered = page.waitForResponse('**/graphql');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await answered;
    });
  }
  await expect(page.getByRole('list', { name: 'Tugs' }).getByRole('listitem')).toHaveCount(3);
});
