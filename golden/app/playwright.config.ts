import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 1,
  timeout: 8000,
  expect: { timeout: 1000 },
  reporter: 'list',
  use: {
    baseURL: 'http://localhost:8642',
    actionTimeout: 1500,
    trace: { mode: 'on', screenshots: false, snapshots: true, sources: true },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'],
    },
  },
  webServer: { command: 'node server.js', port: 8642 },
});
