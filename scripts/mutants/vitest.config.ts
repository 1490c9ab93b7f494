import { defineConfig } from 'vitest/config';

/** The tests that need neither a database nor a network. Stryker runs them once for every mutant. */
export default defineConfig({
  test: {
    include: ['{contract,panel}/**/*.test.ts', 'radius/**/vectors.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    isolate: false,
  },
});
