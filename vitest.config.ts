import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every test file is a process of its own; compiled packages are shared between them and between runs.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

export default defineConfig({
  test: {
    include: ['{contract,radius,server,simulator,panel,captive,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/src/test/global-setup.ts'],
    // Threads could not each have their own UDP sockets, signals and environment.
    pool: 'forks',
    // The default leaves one core idle.
    maxWorkers: availableParallelism(),
    // A limit for what hangs; generous, because a busy machine is slow but not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
