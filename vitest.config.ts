import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Compiled packages are shared between the processes and between runs.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

const exclude = ['**/node_modules/**', '**/dist/**'];
/** Files that replace modules of Node. They have a process of their own, which has not loaded these modules before. */
const mocking = ['server/src/services/syslog-full.test.ts', 'server/src/syslog/raw-store.test.ts'];

// Limits for what hangs; generous, because a busy machine is slow but not wrong.
const limits = { testTimeout: 60_000, hookTimeout: 120_000 };
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
    // Tests wait for PostgreSQL a quarter of the time, so one more than cores.
    maxWorkers: availableParallelism() + 1,
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
