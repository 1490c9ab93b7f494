import { defineConfig } from 'vitest/config';

/** The tests that need neither a database nor a network. Stryker runs them once for every mutant. */
export default defineConfig({
  test: {
    include: [
      '{contract,panel}/**/*.test.ts',
      'radius/src/{codec,vectors}.test.ts',
      'server/src/http/actor.test.ts',
      'server/src/lib/{byte-range,plain-address}.test.ts',
      'server/src/radius/{fair-queue,last-seen,packet-stream,proxies,reply-attributes,requests,trust,units,unknown-devices}.test.ts',
      'server/src/features/{auth/totp,auth/sso/person,identity/concurrency-limit,identity/proofs,logs/local-day,visitors/voucher-parts}.test.ts',
    ],
    // The last ones mock modules, which the others would then have too.
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**', 'panel/src/lib/{guard,i18n,live}.test.ts'],
    isolate: false,
  },
});
