import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,radius,server,simulator,panel,captive,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/src/test/global-setup.ts'],
    // Threads could not each have their own UDP sockets, signals and environment.
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Sockets and children stand still for moments on a busy machine; `npm test` names what did not pass at its first try.
    retry: 2,
  },
});
