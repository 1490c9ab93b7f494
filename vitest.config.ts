import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every test file is a process of its own; compiled packages are shared between them and between runs.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    // Threads could not each have their own UDP sockets, signals and environment.
    pool: 'forks',
    // The default leaves one core idle.
    maxWorkers: availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{contract,radius,server,simulator,bench,scripts}/**/*.test.ts'],
          exclude,
          globalSetup: ['server/src/test/global-setup.ts'],
          // Node runs this code as it is, as in production; Vite's own module system took a third of the time.
          experimental: { viteModuleRunner: false },
          isolate: false,
          // A limit for what hangs; generous, because a busy machine is slow but not wrong.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      { extends: true, test: { name: 'browser', include: ['{panel,captive}/**/*.test.ts'], exclude } },
    ],
  },
});
