interface Area {
  /** The code, as patterns of files from the root of the project. */
  readonly code: readonly string[];
  /** The tests that may notice a change of it. */
  readonly tests: readonly string[];
}

const features = 'server/src/features';
const schema = 'server/src/db/schema';
const attacks = 'server/src/test/attacks/*.test.ts';
const of = (...names: readonly string[]) => names.map(name => `${features}/${name}/**/*.ts`);
const testsOf = (...names: readonly string[]) => names.map(name => `${features}/${name}/**/*.test.ts`);

/** Rules whose tests need a database. `stryker.config.json` has the others. */
export const areas: Readonly<Record<string, Area>> = {
  access: {
    code: [...of('auth', 'team', 'tenant-users'), `${schema}/{auth,auth.sso,team,roles}.sql`],
    tests: [...testsOf('auth', 'team', 'tenant-users'), 'server/src/cli.test.ts', attacks],
  },
  sessions: {
    code: [...of('sessions'), `${schema}/sessions*.sql`],
    tests: [...testsOf('sessions'), 'server/src/test/radclient.test.ts', attacks],
  },
  radius: {
    code: ['server/src/radius/*.ts', `${schema}/radius-proxies.sql`],
    tests: [
      'server/src/radius/*.test.ts',
      `${features}/sessions/{sign-in,accounting}.test.ts`,
      ...testsOf('radius-proxies', 'unknown-devices'),
      'server/src/test/radius-proxies.test.ts',
      attacks,
    ],
  },
  identity: {
    code: [...of('identity'), `${schema}/identity.sql`],
    tests: [...testsOf('identity'), `${features}/logs/record.test.ts`, attacks],
  },
  logs: {
    code: [...of('logs', 'log-sources'), 'server/src/syslog/*.ts', `${schema}/{logs,log-sources}.sql`],
    tests: [
      ...testsOf('logs', 'log-sources', 'identity'),
      'server/src/syslog/*.test.ts',
      'server/src/services/{syslog,syslog-tls,netflow}.test.ts',
      attacks,
    ],
  },
  money: {
    code: [
      ...of('packages', 'room-charges', 'licences', 'vouchers', 'guests/payment'),
      `${schema}/{packages,room-charges,licences,licences.payments,vouchers}.sql`,
    ],
    tests: [...testsOf('packages', 'room-charges', 'licences', 'vouchers', 'guests', 'visitors'), attacks],
  },
  statistics: {
    code: [...of('statistics', 'reports'), `${schema}/{statistics,reports}.sql`],
    tests: [...testsOf('statistics', 'reports'), 'server/src/test/figures-of-others.test.ts'],
  },
};
