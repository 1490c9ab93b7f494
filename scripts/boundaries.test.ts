import { expect, test } from 'vitest';
import { tableOwners, violations } from './boundaries.mjs';
import { importCycles } from './lib/import-cycles.mjs';

const cases: [file: string, text: string, complaint: RegExp | undefined][] = [
  ['contract/src/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';", undefined],
  ['contract/src/a.ts', "import { readFileSync } from 'node:fs';", /contract\/ may not import node:fs/],
  ['radius/src/a.ts', "import pg from 'pg';", /radius\/ may not import pg/],
  [
    'simulator/src/a.ts',
    "import { x } from '@portico/server/src/x.ts';",
    /simulator\/ may not import @portico\/server/,
  ],
  ['server/src/db/a.ts', "import { AppError } from '#http/app-error.ts';", /db\/ is below it/],
  ['server/src/lib/a.ts', "import type { X } from '../features/a/public.ts';", /lib\/ is below it/],
  ['server/src/db/a.test.ts', "import { startApi } from '#http/mount.ts';", undefined],
  ['server/src/http/a.ts', "import { isUnavailable } from '#db/errors.ts';", undefined],
  ['server/src/features/a/a.routes.ts', "import { x } from '../b/public.ts';", undefined],
  ['server/src/features/a/a.routes.ts', "import { x } from '#features/a/a.service.ts';", undefined],
  ['server/src/features/a/a.routes.ts', "import { x } from '../b/b.queries.ts';", /through its public\.ts only/],
  ['server/src/features/a/a.routes.ts', "const x = await import('#features/b/b.ts');", /through its public\.ts only/],
  ['panel/src/features/a/a-page.tsx', "import {\n  x,\n} from '#features/b/b.api.ts';", /through its public\.ts only/],
  ['server/src/features/a/a.queries.ts', "import sql from 'sql-template-tag';", undefined],
  [
    'server/src/features/a/a.service.ts',
    "import sql, { join } from 'sql-template-tag';",
    /SQL is written in \*\.queries\.ts/,
  ],
  ['server/src/features/a/a.service.ts', "import type { Pool } from 'pg';", /SQL is written in/],
  ['server/src/features/a/a.service.ts', 'await db.withSystem(tx => all(tx));', /see every tenant/],
  ['server/src/features/a/a.service.ts', 'await db.systemTrip(tx => all(tx));', /see every tenant/],
  [
    'server/src/features/a/a.service.ts',
    '// withSystem(…) would see too much\nawait db.withTenant(id, one);',
    undefined,
  ],
  ['server/src/features/a/a.jobs.ts', 'await db.withSystem(tx => all(tx));', undefined],
  ['server/src/features/a/a.service.ts', "if (brand === 'sophos') leave();", /'sophos': what depends on a brand/],
  ['server/src/features/a/a.queries.ts', "where b.slug = 'watchguard'`);", /'watchguard': what depends on a brand/],
  ['captive/src/pages/a-page.tsx', 'brand === "mikrotik"', /"mikrotik": what depends on a brand/],
  [
    'server/src/features/a/a.service.ts',
    "import { mikrotikScript } from '#routers/mikrotik/script.ts';",
    /#routers\/mikrotik\/script\.ts: what depends on a brand/,
  ],
  ['server/src/features/a/a.service.ts', "import { driverOf } from '#routers/drivers.ts';", undefined],
  ['server/src/features/a/a.service.ts', '// Only `mikrotik` has this.\nleave();', undefined],
  ['server/src/features/a/a.test.ts', "const slug = 'sophos';", undefined],
  ['server/src/services/demo/sample.ts', "brand: 'sophos'", undefined],
  ['server/src/features/a/a.test.ts', "import pg from 'pg';\nawait db.withSystem(all);", undefined],
  ['server/src/features/visitors/a.queries.ts', 'sql`update visitors set name = 1`', undefined],
  ['server/src/features/guests/a.queries.ts', 'sql`select 1 from visitors v for update of v skip locked`', undefined],
  [
    'server/src/features/guests/a.queries.ts',
    '// update visitors\nsql`insert into consents (id) values (1)`',
    undefined,
  ],
  [
    'server/src/features/guests/a.queries.ts',
    'sql`with x as (delete from visitors where true) select 1`',
    /^visitors belongs to visitors: write it through/,
  ],
  [
    'server/src/features/a/a.queries.ts',
    'sql`insert into\n  sms_codes (id) values (1)`',
    /sms_codes belongs to guests/,
  ],
  ['server/src/sms/a.queries.ts', 'sql`update locations set sms_used = 1`', /locations belongs to locations/],
  ['server/src/features/visitors/retention.queries.ts', 'sql`delete from remembered_guests`', undefined],
  ['server/src/features/visitors/retention.queries.ts', 'sql`delete from users`', /users belongs to auth/],
  ['server/src/features/a/a.test.ts', 'sql`truncate visitors`', undefined],
  ['server/src/db/schema/sessions.account.sql', 'insert into online_sessions values (1);', undefined],
  ['server/src/db/schema/sessions.sql', '-- update visitors\ncreate trigger x after update on visitors;', undefined],
  ['server/src/db/schema/sessions.sql', 'update visitors set device_id = 1;', /an SQL function in visitors\.sql/],
];

test.each(cases)('%s: %j', (file, text, complaint) => {
  const found = violations(file, text);
  if (complaint) expect(found).toEqual([expect.stringMatching(complaint)]);
  else expect(found).toEqual([]);
});

test('a table belongs to the feature whose schema file creates it', () => {
  const files = [
    { file: 'server/src/db/schema/b.sql', text: 'create table one (\n);\ncreate table two (\n);' },
    { file: 'server/src/db/schema/b.more.sql', text: 'create table three (\n);\n-- create table four' },
  ];
  expect([...tableOwners(files)]).toEqual([
    ['one', 'b'],
    ['two', 'b'],
    ['three', 'b'],
  ]);
});

test('files that import each other, also by types and in another way, are a cycle', () => {
  const files = new Map([
    ['server/src/lib/a.ts', "import { b } from './b.ts';\nimport { e } from './e.ts';"],
    ['server/src/lib/b.ts', "import type {\n  C,\n} from '#lib/c.ts';"],
    ['server/src/lib/c.ts', "export { a } from './a.ts';"],
    ['server/src/lib/d.ts', "import { a } from './a.ts';"],
    ['server/src/lib/e.ts', "// import { a } from './a.ts';\nconst d = () => import('./d.ts');"],
  ]);
  expect(importCycles(files)).toEqual([['server/src/lib/a.ts', 'server/src/lib/b.ts', 'server/src/lib/c.ts']]);
});
