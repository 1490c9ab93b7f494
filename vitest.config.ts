import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Compiled packages are shared between the processes and between runs.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

const exclude = ['**/node_modules/**', '**/dist/**'];
/** Files that replace modules of Node. They have a process of their own, which has not loaded these modules before. */
const mocking = [
  'server/src/db/embedded-full.test.ts',
  'server/src/radius/radsec-strangers.test.ts',
  'server/src/services/syslog-full.test.ts',
  'server/src/syslog/raw-store.test.ts',
];

/**
 * Files that take longest, by their ends. They come first, or they would run alone at the end. A fresh clone has no times of
 * an earlier run, and Vitest then begins with the largest files.
 */
const long = [
  'test/outage-walk',
  'move/move',
  'services/backup',
  'methods/cloud-hotels',
  'methods/cloud-hotel-charges',
  'methods/cloud-hotel-failures',
  'services/backup-places',
  'test/guest-walk',
  'test/crash',
  'room-charges/room-purchases',
  'room-charges/unanswered-room-purchases',
  'sign-in/post-brands',
  'test/junk',
  'test/radsec-freeradius',
  'sign-in/hostile-controllers',
  'test/guest-outage-walk',
  'services/syslog',
  'sign-in/every-brand',
  'test/rolling-restart',
  'test/audit-walk',
  'src/cli',
  'attacks/reset-codes-of-others',
  'auth/reset',
  'test/walk',
  'demo/demo',
  'room-charges/room-charges',
  'db/embedded',
  'logs/verify',
  'logs/record',
  'test/other-key',
  'portals/pictures',
  'db/migrate',
  'test/radius-proxies',
  'attacks/svg-that-draws-for-minutes',
  'move/move-live',
  'attacks/password-guessing',
].map(end => `${end}.test.ts`);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      long.findIndex(end => moduleId.endsWith(end)) + 1 || long.length + 1;
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

// Limits for what hangs; generous, because a busy machine is slow but not wrong.
const limits = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } };
const onNode = {
  ...limits,
  globalSetup: ['server/src/test/global-setup.ts'],
  setupFiles: ['server/src/test/set-up-file.ts'],
  // Node runs this code as it is, as in production; Vite's own module system took a third of the time.
  experimental: { viteModuleRunner: false },
};

export default defineConfig({
  test: {
    // Threads could not each have their own UDP sockets, signals and environment.
    pool: 'forks',
    // Tests wait for PostgreSQL, other processes and clocks for half of the time, so two more than cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          ...onNode,
          name: 'node',
          include: ['{contract,radius,server,simulator,bench,scripts}/**/*.test.ts'],
          exclude: [...exclude, ...mocking],
          // Each file has its own database and API; loading the product for each took half of the time.
          isolate: false,
        },
      },
      { extends: true, test: { ...onNode, name: 'mocking', include: mocking } },
      { extends: true, test: { ...limits, name: 'browser', include: ['{panel,captive}/**/*.test.ts'], exclude } },
    ],
  },
});
