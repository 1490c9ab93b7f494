import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { executablePath } from './src/browser.ts';

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds, and V8's optimizing compilers would take longer than they save.
  '--js-flags=--no-opt --no-maglev',
  // Host names of tenants lead to the product, as their DNS would. A guest has one address, also where a journey sends its request
  // from Node: the browser would take ::1.
  '--host-resolver-rules=MAP *.portico.test 127.0.0.1, MAP localhost 127.0.0.1',
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './src/global-setup.ts',
  // One product serves all journeys: each makes its own location and does not touch the others.
  // They wait for the network and for the product a third of the time, so one more than cores.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // A test that fails now and then hides a defect: mend it, do not repeat it.
  retries: 0,
  // Limits for what hangs; generous, because a busy machine is slow but not wrong. On a slow one, the longest journeys take more
  // than five minutes.
  timeout: 1_200_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: quiet },
    locale: 'en-GB',
    timezoneId: 'Europe/Istanbul',
    // Drawing animations without a graphics card takes a fifth of the browser's time; `foundation.spec.ts` shows them.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording costs a third of the time: `--trace on` for the journey that needs it.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
  },
  // The phone first: its longest sweep would otherwise be alone at the end.
  projects: [
    {
      name: 'phone',
      // Journeys whose layout differs on a phone; `screens.spec.ts` opens every screen there.
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
});
