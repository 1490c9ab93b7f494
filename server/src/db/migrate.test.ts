import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase } from '../test/database.ts';
import { migrate, migrations, oldMigrations } from './migrate.ts';
import { createPool } from './pool.ts';
import { catalogue } from './testing/catalogue.ts';
import { fillTables, tableRows } from './testing/old-rows.ts';

/** `version name sha256` of every migration that a release has carried: those are never edited again. */
const released = readFileSync(new URL('migrations/landed.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line && !line.startsWith('#') && !line.startsWith('next '))
  .map(line => line.split(' ') as [version: string, name: string, hash: string]);
const all = [...oldMigrations(), ...migrations];

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(url, { max: 2, onError: () => undefined });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Work on a database of its own as `upTo` left it. */
async function withOld<T>(upTo: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { url } = await freshDatabase({ empty: true });
  return withPool(url, async pool => {
    await migrate(pool, upTo);
    return work(pool);
  });
}

const lastOf = (version: string) => released.findLast(([v]) => v === version)![1];

/** The search text as 0086 added it in the 0.5.0 that was released, before 0100 took that over. */
const earlySearchText = `
  drop index visitors_search;
  alter table visitors add search_text text generated always as (folded(
    name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, ''))) stored;
  create index visitors_search on visitors using gin (search_text gin_trgm_ops)`;

/** Every kind of database there is: name, last migration, and what else was done to it. */
const databases: [name: string, upTo: string, also?: string][] = [
  ...[...new Set(released.map(([version]) => version))].map((version): [string, string] => [version, lastOf(version)]),
  ['0.5.0 as it was released', '0099-sessions-of-deleted-devices', earlySearchText],
];

describe('migrations', () => {
  test('are numbered, each name once', () => {
    const names = all.map(m => m.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual([...names].sort());
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
  });

  test('that were released are unchanged', () => {
    expect(released.length).toBeGreaterThan(0);
    for (const [version, name, hash] of released) {
      const found = all.find(m => m.name === name);
      expect(found, `${name} of version ${version}`).toBeDefined();
      expect(
        createHash('sha256').update(found!.sql()).digest('hex'),
        `${name} was edited after version ${version}`,
      ).toBe(hash);
    }
  });

  test('keep the day of a licence that ended at midnight UTC, and the moment of any other', async () => {
    const ends = await withOld('0088-visitor-days-of-devices', async pool => {
      await pool.query(
        `insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'once', 'Once', 'Once')`,
      );
      await pool.query(`
        insert into locations (tenant_id, id, name, time_zone, trial_end_at, license_end_at)
        select t.id, gen_random_uuid(), x.at::text, x.zone, now(), x.at::timestamptz from tenants t, (values
          ('Asia/Tokyo', '2027-03-01T00:00:00Z'), ('America/New_York', '2027-03-01T00:00:00Z'), ('UTC', '2027-03-01T00:00:01Z')) x(zone, at)`);
      await migrate(pool);
      const { rows } = await pool.query(
        `select time_zone, (license_end_at at time zone time_zone)::text as at from locations order by 1`,
      );
      return rows.map(it => [it.time_zone, it.at]);
    });
    expect(ends).toEqual([
      ['America/New_York', '2027-03-01 23:59:59'],
      ['Asia/Tokyo', '2027-03-01 23:59:59'],
      ['UTC', '2027-03-01 00:00:01'],
    ]);
  });

  test('run once when several processes start at the same moment', async () => {
    for (const upTo of [undefined, lastOf('0.5.0')]) {
      const { url } = await freshDatabase({ empty: true });
      if (upTo) await withPool(url, pool => migrate(pool, upTo));
      const ran = await Promise.all([1, 2, 3].map(() => withPool(url, pool => migrate(pool))));
      expect(ran.sort((a, b) => a - b)).toEqual([0, 0, migrations.length]);
    }
  });

  test('wait while a tenant is frozen, whose rows they would not see', async () => {
    await withOld('0465-moves', async pool => {
      await pool.query(`
        insert into tenant_moves (tenant, move_id, slug, hosts, direction, state)
        values (gen_random_uuid(), gen_random_uuid(), 'acme', '{}', 'out', 'frozen')`);
      await expect(migrate(pool)).rejects.toThrow(
        /^The tenant acme is being moved: confirm or cancel the move [^\n]+$/,
      );
      expect(await migrate(pool, '0465-moves')).toBe(0);
      await pool.query(`update tenant_moves set state = 'left'`);
      expect(await migrate(pool)).toBeGreaterThan(0);
    });
  });

  test('make a copy of sessions that is under way begin again, because the order of the copy changed', async () => {
    await withOld('0587-imported-sessions', async pool => {
      await pool.query(`
        insert into session_archives (batch, month, state, kept_after)
        values (1, '2026-01-01', 'archived', now()), (2, '2026-02-01', 'copying', now())`);
      await migrate(pool);
      const { rows } = await pool.query('select state, changed from session_archives order by batch');
      expect(rows).toEqual([
        { state: 'archived', changed: false },
        { state: 'copying', changed: true },
      ]);
    });
  });

  describe('beside processes of the version before', () => {
    const record = `
      insert into session_history (tenant_id, id, accounting_id, location_id, device_id, user_name, acct_session_id, started_at, ended_at,
        seconds, upload, download, interim, reopened, day, close_reason)
      select gen_random_uuid(), gen_random_uuid(), int8send(1), gen_random_uuid(), gen_random_uuid(), '', '1', now(), now(),
        1, 1, 1, 60, false, current_date, 'stop'`;
    const other = async (url: string, ...commands: string[]) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const command of commands) await client.query(command);
      return client;
    };
    const building = `select pid from pg_stat_activity where datname = current_database() and query ~ '^(create|drop) index concurrently'`;
    const waiting = `select pid from pg_locks where not granted and relation = 'session_history'::regclass`;

    test('indexes of sessions are built while others write, and again after an interruption', async () => {
      const { url } = await freshDatabase({ empty: true });
      await withPool(url, pool => migrate(pool, '0500-tenant-keys'));
      const watcher = await other(url);
      // A transaction that has begun to read keeps the index from being finished.
      const reader = await other(url, 'begin isolation level repeatable read', 'select count(*) from session_history');
      await withPool(url, async pool => {
        const interrupted = expect(migrate(pool)).rejects.toThrow(/^Migration 0501-[a-z-]+ failed: [^\n]+$/);
        const pid = await vi.waitFor(async () => (await watcher.query(building)).rows[0].pid, 30_000);
        await watcher.query('select pg_terminate_backend($1)', [pid]);
        await interrupted;
      });
      await withPool(url, async pool => {
        const again = migrate(pool);
        await vi.waitFor(async () => expect((await watcher.query(building)).rows).toHaveLength(1), 30_000);
        const writer = await other(url, record);
        await writer.end();
        await Promise.all([reader.end(), watcher.end()]);
        await again;
        expect(await catalogue(pool)).toEqual(await withPool((await freshDatabase()).url, catalogue));
        expect((await pool.query('select from session_history')).rows).toHaveLength(1);
      });
    });

    test('so are those of figures and names, and no writer waits behind them', async () => {
      const { url } = await freshDatabase({ empty: true });
      await withPool(url, pool => migrate(pool, '0608-entries-by-an-index'));
      const watcher = await other(url);
      const built = (name: string) =>
        vi.waitFor(async () => expect((await watcher.query(building)).rows, name).toHaveLength(1), 30_000);
      const readers = () => other(url, 'begin isolation level repeatable read', 'select count(*) from visitors');
      let reader = await readers();
      await withPool(url, async pool => {
        const interrupted = expect(migrate(pool)).rejects.toThrow(/^Migration 0609-[a-z-]+ failed: [^\n]+$/);
        await built('figures');
        await watcher.query('select pg_terminate_backend(pid) from (' + building + ') b');
        await interrupted;
      });
      await withPool(url, async pool => {
        const again = migrate(pool, '0612-session-ids-and-orders-of-names');
        await built('figures');
        // In the order of accounting.
        const of = 'gen_random_uuid(), gen_random_uuid(), current_date, gen_random_uuid()';
        const writer = await other(
          url,
          'begin',
          `insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download) select ${of}, 1, 1, 1`,
          `insert into visitor_device_days (tenant_id, device_id, day, visitor_id, location_id) select ${of}, gen_random_uuid()`,
          'commit',
        );
        await Promise.all([writer.end(), reader.end()]);
        await again;
        reader = await readers();
        const last = migrate(pool);
        await built('names');
        const renamer = await other(url, "update visitors set name = 'x'");
        await Promise.all([renamer.end(), reader.end(), watcher.end()]);
        await last;
        expect(await catalogue(pool)).toEqual(await withPool((await freshDatabase()).url, catalogue));
      });
    });

    test('a transaction that has read sessions and then writes some does not wait for a migration that waits for it', async () => {
      const { url } = await freshDatabase({ empty: true });
      await withPool(url, pool => migrate(pool, '0500-tenant-keys'));
      await withPool(url, async pool => {
        const writer = await other(url, 'begin', 'select count(*) from session_history');
        // An index that is built waits for transactions that ask at that moment, so the writer's must not.
        const watcher = await other(url);
        const upgraded = migrate(pool);
        await vi.waitFor(async () => expect((await watcher.query(waiting)).rows).not.toEqual([]), 30_000);
        // It gives up its place, so that those who came after it go on, and tries again.
        await (await other(url, record)).end();
        await vi.waitFor(async () => expect((await watcher.query(waiting)).rows).not.toEqual([]), 30_000);
        await writer.query(record);
        await writer.query('commit');
        await Promise.all([writer.end(), watcher.end()]);
        expect(await upgraded).toBeGreaterThan(0);
        expect((await pool.query('select from session_history')).rows).toHaveLength(2);
      });
    });
  });

  test('compose user names; of two that become equal, one gets a number and an entry in the audit log', async () => {
    await withOld('0551-rights-announced', async pool => {
      await pool.query(`
        insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'acme', 'A', 'A');
        insert into locations (tenant_id, id, name, trial_end_at)
        select id, gen_random_uuid(), place, now() from tenants, unnest(array['Otel', 'Kafe']) place;
        insert into visitors (tenant_id, id, location_id, name, provider_type, username, session_duration, max_upload, max_download)
        select l.tenant_id, new_id(), l.id, 'Zoë Çınar', 'username', username, '{}', '{}', '{}'
        from locations l, unnest(case l.name when 'Otel' then array['zo\u00eb', 'zoe\u0308', 'zo\u00eb-2', 'ali'] else array['zoe\u0308'] end) username`);
      await migrate(pool);
      const { rows } = await pool.query(`
        select l.name, array_agg(v.username order by v.username) as names,
          (select array_agg(a.subject_name || ' ' || (a.after->>'personal')) from audit_log a where a.location_id = l.id) as told
        from visitors v join locations l on l.id = v.location_id group by 1, l.id order by 1`);
      expect(rows).toEqual([
        { name: 'Kafe', names: ['zo\u00eb'], told: null },
        {
          name: 'Otel',
          names: ['ali', 'zo\u00eb', 'zo\u00eb-2', 'zo\u00eb-3'],
          told: ['Z••• Ç••• ["username"]'],
        },
      ]);
    });
  });

  test('keep the brands that a device had, from the audit log', async () => {
    await withOld('0553-rights-that-end', async pool => {
      await pool.query(`
        insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'acme', 'A', 'A');
        insert into locations (tenant_id, id, name, trial_end_at) select id, gen_random_uuid(), 'Otel', now() from tenants;
        insert into devices (tenant_id, id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at)
        select l.tenant_id, new_id(), l.id, b.id, called, called, called, 'x', now()
        from locations l join brands b on b.slug = 'sophos', unnest(array['changed1', 'renamed1']) called;
        insert into audit_log (tenant_id, id, created_at, user_name, user_email, verb, subject_type, subject_id, before, after)
        select d.tenant_id, new_id(), at::timestamptz, '', '', 'update', 'device', d.id, old::jsonb, new::jsonb
        from devices d join (values
          ('changed1', '2026-02-01Z', '{"brand": "pfSense"}', '{"brand": "MikroTik"}'),
          ('changed1', '2026-03-01Z', '{"brand": "MikroTik"}', '{"brand": "Sophos"}'),
          ('changed1', '2026-04-01Z', '{"name": "x"}', '{"name": "changed"}'),
          ('renamed1', '2026-04-01Z', '{"name": "x"}', '{"name": "renamed"}')) a (device, at, old, new) on a.device = d.name`);
      await migrate(pool);
      const { rows } = await pool.query('select name, former_brands from devices order by 1');
      expect(rows).toEqual([
        {
          name: 'changed1',
          former_brands: [
            { brand: 'pfsense', until: '2026-02-01T00:00:00+00:00' },
            { brand: 'mikrotik', until: '2026-03-01T00:00:00+00:00' },
          ],
        },
        { name: 'renamed1', former_brands: [] },
      ]);
    });
  });

  test('keep the first and the last report of an IPv4 address as one time, and none of an IPv6 address', async () => {
    const rows = await withOld('0571-days-of-a-free-profile', async pool => {
      await pool.query(`
        insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'acme', 'A', 'A');
        insert into session_addresses (tenant_id, session_id, network, first_at, last_at)
        select id, gen_random_uuid(), network, '2026-03-01 10:00Z', '2026-03-01 11:00Z'
        from tenants, unnest(array['10.0.0.5', '2001:db8::5']::inet[]) network`);
      await migrate(pool);
      return (
        await pool.query(`
        select host(network) as address, lower(held) = first_at as first, upper(held) = last_at as last, held @> last_at as whole
        from session_addresses order by network`)
      ).rows;
    });
    expect(rows).toEqual([
      { address: '10.0.0.5', first: true, last: true, whole: true },
      { address: '2001:db8::5', first: null, last: null, whole: null },
    ]);
  });

  test('lift the end that a reversal set before days were sold again, and no other end', async () => {
    const rows = await withOld('0596-no-dot-after-an-address', async pool => {
      await pool.query(`
        insert into tenants (id, slug, brand_name, brand_long_name) values (gen_random_uuid(), 'acme', 'A', 'A');
        insert into locations (tenant_id, id, name, trial_end_at) select id, gen_random_uuid(), 'Otel', now() from tenants;
        insert into visitors (tenant_id, id, location_id, provider_type, name, total_paid_day, session_end_at,
          session_duration, max_upload, max_download)
        select l.tenant_id, gen_random_uuid(), l.id, 'temp', v.name, days, now() - late::interval, '{}', '{}', '{}'
        from locations l, (values ('again', 3, '1 hour'), ('set by hand', 3, '2 hours'), ('reversed', 0, '1 hour')) v (name, days, late);
        create function sell(who text, days int, late text, of uuid) returns uuid language sql as $$
          insert into sales (tenant_id, id, location_id, visitor_id, days, unit_price, currency, total, sold_on, sold_at, reverses)
          select v.tenant_id, gen_random_uuid(), v.location_id, v.id, days, 5, 'eur', days * 5, current_date, now() - late::interval, of
          from visitors v where v.name = who returning id $$;
        select sell(who, -2, '1 hour 1 second', sell(who, 2, '1 day', null)) from unnest(array['again', 'set by hand', 'reversed']) who;
        select sell(who, 3, '30 minutes', null) from unnest(array['again', 'set by hand']) who;
        drop function sell`);
      await migrate(pool);
      return (await pool.query('select name, session_end_at is null as lifted from visitors order by name')).rows;
    });
    expect(rows).toEqual([
      { name: 'again', lifted: true },
      { name: 'reversed', lifted: false },
      { name: 'set by hand', lifted: false },
    ]);
  });

  test('refuse a database of a newer version', async () => {
    const { url } = await freshDatabase();
    await withPool(url, pool => pool.query(`insert into migrations (name) values ('9999-from-the-future')`));
    await expect(withPool(url, pool => migrate(pool))).rejects.toThrow(
      /9999-from-the-future, which this version of Portico does not know/,
    );
  });
});

describe('an upgraded database', () => {
  let fresh: string[];
  beforeAll(async () => {
    fresh = await withPool((await freshDatabase()).url, catalogue);
    expect(fresh.length).toBeGreaterThan(1000);
  });

  test.each(databases)('of %s has the schema of a new installation, and keeps its rows', async (_, upTo, also) => {
    await withOld(upTo, async pool => {
      if (also) await pool.query(also);
      await fillTables(pool);
      const before = await tableRows(pool);
      expect([...before.values()].every(rows => rows.length > 0)).toBe(true);
      await migrate(pool);
      expect(await catalogue(pool)).toEqual(fresh);
      const after = await tableRows(pool);
      for (const [table, rows] of before)
        expect(after.get(table), table).toEqual(expect.arrayContaining(rows.map(row => expect.objectContaining(row))));
    });
  });
});
