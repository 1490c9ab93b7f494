import { defineConfig } from '@playwright/test';

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Host names of tenants, as their domains would lead to the product.
  '--host-resolver-rules=MAP *.portico.test 127.0.0.1',
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './src/global-setup.ts',
  // One product serves all journeys: each makes its own location and leaves the others' alone.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Busy machines exist; what did not pass at its first try is named in the summary of `npm test`, to be mended.
  retries: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet },
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    // Recording costs a third of the time: `--trace on` for the journey that needs it.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 15_000,
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      // Guests have phones whatever the operator works at.
      testIgnore: '**/guest-*.spec.ts',
      grepInvert: /@wide/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
  ],
});
