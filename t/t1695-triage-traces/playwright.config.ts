import { defineConfig } from '@playwright/test';
// Recorded with Playwright 1.65.1: npx playwright test --config this; what failed stands in test-results.
export default defineConfig({
  testDir: 'tests', outputDir: 'test-results', workers: 2, retries: 1, timeout: 8000, expect: { timeout: 700 },
  reporter: [['json', { outputFile: 'results.json' }], ['junit', { outputFile: 'results.xml' }], ['blob', { outputDir: 'blob' }]],
  use: {
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: true },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'],
    },
  },
  projects: [{ name: 'desktop' }, { name: 'phone', grep: /total/, use: { viewport: { width: 400, height: 700 } } }],
});
