module.exports = {
  testDir: '.', outputDir: 'results', workers: 1, timeout: 8000, reporter: [['./oracle.js']],
  use: {
    trace: { mode: 'on', screenshots: false, snapshots: true, sources: true }, screenshot: 'off', video: 'off',
    launchOptions: { executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'] },
  },
  webServer: { command: 'node server.js', port: 8651 },
};
