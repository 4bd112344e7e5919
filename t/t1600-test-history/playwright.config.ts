import { defineConfig } from '@playwright/test';
export default defineConfig({
  testDir: 'tests', retries: Number(process.env.RETRIES ?? 1), workers: 2, timeout: 1500,
  projects: [{ name: 'alpha' }, { name: 'beta', use: { beta: true } as any }],
});
