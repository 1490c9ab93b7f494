import { expect, test } from 'vitest';
import { violations } from './boundaries.mjs';

const cases: [file: string, text: string, complaint: RegExp | undefined][] = [
  ['contract/src/a.ts', "import { z } from 'zod';\nimport { b } from './b.ts';", undefined],
  ['contract/src/a.ts', "import { readFileSync } from 'node:fs';", /contract\/ may not import node:fs/],
  ['radius/src/a.ts', "import pg from 'pg';", /radius\/ may not import pg/],
  [
    'simulator/src/a.ts',
    "import { x } from '@portico/server/src/x.ts';",
    /simulator\/ may not import @portico\/server/,
  ],
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
  ['server/src/features/a/a.service.ts', 'await db.withSystem(tx => all(tx));', /withSystem sees every tenant/],
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
];

test.each(cases)('%s: %j', (file, text, complaint) => {
  const found = violations(file, text);
  if (complaint) expect(found).toEqual([expect.stringMatching(complaint)]);
  else expect(found).toEqual([]);
});
