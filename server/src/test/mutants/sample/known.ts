/** Changes that survive, by their name (`nameOf`), and why no test can notice them. */
export const known: ReadonlyMap<string, string> = new Map([
  [
    'server/src/features/sessions/sessions.radius.ts 1a5ded06: copies.size > 0 → copies.size >= 0',
    'it only writes a line about nothing to the log',
  ],
  [
    'server/src/features/statistics/health.queries.ts c7b4bd20: <= → <',
    'no licence ends in the very microsecond of the question',
  ],
  [
    'server/src/features/identity/identity.queries.ts 42530eb6: >= → >',
    'no report is exactly this old to the microsecond',
  ],
  [
    'server/src/features/identity/identity.queries.ts 3231b282: left join → join',
    'an aggregate without groups is always one row',
  ],
  [
    'server/src/features/auth/two-factor.service.ts 4624bdfc: factor.totp_enabled || !factor.totp_secret → false',
    '`enable` asks the same again in the transaction',
  ],
  [
    'server/src/features/packages/refund.service.ts d3404d2a: purchase?.state → purchase.state',
    'its callers have just found the purchase; only a location that is deleted in between takes it away',
  ],
  [
    'server/src/features/statistics/problems.queries.ts 0ca5fccb: < → <=',
    'no hour began exactly 25 hours ago to the microsecond',
  ],
  [
    'server/src/features/statistics/problems.queries.ts e79f892e: > → >=',
    'no device was last seen exactly an hour ago to the microsecond',
  ],
  [
    'server/src/features/statistics/problems.queries.ts 6a7d2f33: < → <=',
    'no device came back exactly ten minutes ago to the microsecond',
  ],
  [
    'server/src/features/statistics/problems.queries.ts 6ae6d65d: < → <=',
    'no certificate ends in exactly 30 days to the microsecond',
  ],
  [
    'server/src/features/statistics/agents.ts d442b4ce: clearTimeout(timer); → ;',
    'a timer that fires once more only writes earlier, or writes nothing',
  ],
  [
    'server/src/features/sessions/failed-logins.queries.ts 03a5cca6: < → <=',
    'no sign-in failed exactly this many days ago to the microsecond',
  ],
  [
    'server/src/db/schema/sessions.account.sql 2191bee4: and → or',
    'it judges more visitors than it must, and their limits stay the same',
  ],
  [
    "server/src/features/logs/seal.ts 25f155d2: link.kind === 'file' → true",
    'the link of an erased file comes after that of the file, and stamps are in another folder',
  ],
  ['server/src/syslog/connection-limit.ts 9da26570: taken → true', 'deleting undefined from a set changes nothing'],
]);
