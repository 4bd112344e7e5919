module.exports = {
  testDir: '.', outputDir: 'results', workers: 1, timeout: 4000, expect: { timeout: 500 },
  reporter: [['json', { outputFile: 'report.json' }]],
  use: {
    baseURL: 'http://localhost:8652', actionTimeout: 800,
    trace: { mode: 'on', screenshots: false, snapshots: true, sources: false },
    launchOptions: { executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'] },
  },
  webServer: { command: 'node server.js', port: 8652 },
};
