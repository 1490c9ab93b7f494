import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { routerAt } from '#features/sessions/testing/router.ts';
import { fileForm } from '#test/uploads.ts';
import { importJobs } from '../imports.jobs.ts';
import { large } from './session-imports.jobs.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
beforeEach(() => venue.run(sql`delete from imported_sessions`));

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const [past, later] = [dayBefore(90), dayBefore(60)];
const at = 'panel/client-import';
const list = 'panel/reports/imported-sessions';
const job = async (name: string) => importJobs.find(it => it.name === name)!.run(venue.api.app);
const announce = (bytes: number, token = venue.admin) =>
  venue.api.post(`${at}/sessions`, {
    token,
    language: 'en',
    body: { location_id: venue.location, file_name: 'radacct.sql', bytes },
  });
const part = (id: string, startsAt: number, bytes: Uint8Array, token = venue.admin) =>
  venue.api.post(`${at}/${id}/part`, {
    token,
    language: 'en',
    body: fileForm(bytes, { name: 'radacct.sql', starts_at: String(startsAt) }),
  });
const get = async (id: string) =>
  (await venue.api.get(`${at}/${id}`, { token: venue.admin, language: 'en' })).body.data;

/** Sends a file in parts of some bytes, and reads it. */
async function read(content: string, size = 1_000_000) {
  const bytes = new TextEncoder().encode(content);
  const made = await announce(bytes.length);
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data;
  for (let from = 0; from < bytes.length; from += size) {
    const sent = await part(id, from, bytes.slice(from, from + size));
    expect(sent.status, sent.text).toBe(200);
  }
  expect((await get(id)).state).toBe('reading');
  await job('read past sessions');
  return get(id);
}
async function run(content: string, size?: number) {
  const { id } = await read(content, size);
  const started = await venue.api.post(`${at}/${id}/start`, { token: venue.admin });
  expect(started.status, started.text).toBe(202);
  await job('run imports');
  return get(id);
}
const imported = async (query = '', token = venue.admin) =>
  (await venue.api.get(`${list}?order=asc&${query}`, { token })).body.data;

const columns =
  '`radacctid` bigint, `acctsessionid` varchar(64), `acctuniqueid` varchar(32), `username` varchar(64), `nasipaddress` varchar(15), `acctstarttime` datetime, `acctstoptime` datetime, `acctsessiontime` int, `acctinputoctets` bigint, `acctoutputoctets` bigint, `callingstationid` varchar(50), `acctterminatecause` varchar(32), `framedipaddress` varchar(15)';
const row = (n: number, values: Partial<Record<'user' | 'start' | 'stop' | 'mac' | 'unique', string | null>> = {}) => {
  const it = {
    user: `guest-${n}`,
    start: `${past} 10:00:00`,
    stop: `${past} 11:00:00`,
    mac: '02-AA-BB-CC-DD-01',
    unique: `unique-${n}`,
    ...values,
  };
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
  return `(${n},'8000${n}',${text(it.unique)},${text(it.user)},'10.5.50.1',${text(it.start)},${text(it.stop)},3600,1000,5000000000,${text(it.mac)},'User-Request','10.5.50.23')`;
};
const dump = (...rows: string[]) =>
  `-- MySQL dump\nCREATE TABLE \`radacct\` (${columns}, PRIMARY KEY (\`radacctid\`));\nINSERT INTO \`radacct\` VALUES ${rows.join(',\n')};\n`;

describe('past sessions of radacct', () => {
  test('are reported first, then imported with all that they say', async () => {
    const content = dump(
      row(1, { user: "o'ğuz;--" }),
      row(2, { stop: null }),
      row(3, { stop: `${past} 09:00:00` }),
      row(4, { start: '0000-00-00 00:00:00' }),
      row(5, { user: '', mac: 'phone' }),
      row(6, { start: '2001-01-01 10:00:00', stop: '2001-01-01 11:00:00' }),
      row(7, { mac: 'not a mac' }),
    );
    // Parts end within texts, comments and letters of two bytes.
    const report = await read(content, 97);
    expect(report).toMatchObject({ source: 'sessions', state: 'ready', total: 7, created: 2, skipped: 5 });
    expect(report.sessions).toMatchObject({
      without_mac: 1,
      problem: null,
      first_at: expect.stringContaining(past),
    });
    expect(
      report.sessions.skipped.map((it: { reason: string; count: number; line: number }) => [
        it.reason,
        it.count,
        it.line,
      ]),
    ).toEqual([
      ['open', 1, 4],
      ['dates', 2, 5],
      ['guest', 1, 7],
      ['old', 1, null],
    ]);
    expect(await imported()).toEqual([]);
    await venue.api.post(`${at}/${report.id}/start`, { token: venue.admin });
    await job('run imports');
    expect(await get(report.id)).toMatchObject({ state: 'done', created: 2, skipped: 5 });
    const rows = await imported();
    expect(rows).toHaveLength(2);
    expect(rows.find((it: { user_name: string }) => it.user_name === "o'ğuz;--")).toMatchObject({
      client: null,
      client_mac: '02:AA:BB:CC:DD:01',
      client_ip: '10.5.50.23',
      nas: '10.5.50.1',
      // The clocks of the location.
      started_at: `${past}T07:00:00Z`,
      ended_at: `${past}T08:00:00Z`,
      seconds: 3600,
      upload: 1000,
      download: 5_000_000_000,
      terminate_cause: 'User-Request',
    });
  });

  test('are imported once, and go on after an interruption', async () => {
    const rows = Array.from({ length: 4100 }, (_, n) => row(10_000 + n));
    const { id } = await read(dump(...rows), 100_000);
    await venue.api.post(`${at}/${id}/start`, { token: venue.admin });
    const { withTenant } = venue.api.app.db;
    const dying = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementation((tenantId, work) =>
      withTenant(tenantId, async tx => {
        const result = await work(tx);
        // The process dies in the second list, before it commits.
        if (await tx.maybe(sql`select from visitor_imports where id = ${id} and created > 2000`))
          throw new Error('cut');
        return result;
      }),
    );
    await expect(job('run imports')).rejects.toThrow('cut');
    dying.mockRestore();
    expect(await get(id)).toMatchObject({ state: 'running', created: 2000 });
    await job('run imports');
    expect(await get(id)).toMatchObject({ state: 'done', created: 4100, skipped: 0 });
    const again = await read(dump(...rows));
    expect(again).toMatchObject({ total: 4100, created: 0, skipped: 4100 });
    expect(again.sessions.skipped).toEqual([
      { reason: 'exists', message: 'It was imported before.', count: 4100, line: null },
    ]);
  });

  test('come from PostgreSQL with zones', async () => {
    const done = await run(`-- PostgreSQL database dump
COPY public.radacct (radacctid, acctsessionid, acctuniqueid, username, acctstarttime, acctstoptime, acctinputoctets, callingstationid) FROM stdin;
1\tA\tpg-1\tpg-guest\t${past} 10:00:00+01\t${past} 10:30:00+01\t\\N\t02aabbccdd02
2\tB\tpg-2\tpg-guest\t${past} 10:00:00+01\t${new Date(Date.now() + 3_600_000).toISOString()}\t\\N\t02aabbccdd02
\\.
`);
    // A local time may be ahead, because its zone is not known. A moment may not.
    expect(done).toMatchObject({ created: 1, skipped: 1 });
    expect(await imported('search=pg-guest')).toHaveLength(1);
    expect((await imported('search=pg-guest'))[0]).toMatchObject({
      started_at: `${past}T09:00:00Z`,
      seconds: 1800,
      upload: 0,
      client_mac: '02:AA:BB:CC:DD:02',
    });
  });

  test('belong to visitors of that name, also to later ones, and go with them', async () => {
    await run(dump(row(20_001, { user: 'early' }), row(20_002, { user: 'late' })));
    const visitors = `INSERT INTO radcheck (username, attribute, op, value) VALUES ('late', 'Cleartext-Password', ':=', 'secret-12');`;
    const made = await venue.api.post(at, {
      token: venue.admin,
      body: fileForm(visitors, { name: 'users.sql', location_id: venue.location }),
    });
    await venue.api.post(`${at}/${made.body.data.id}/start`, { token: venue.admin });
    await job('run imports');
    const [late] = await imported('search=late');
    expect(late.client).toMatchObject({ name: 'late' });
    await venue.rows(sql`delete from visitors where id = ${late.client.id}`);
    expect(await imported('search=late')).toEqual([]);
    expect(await imported('search=early')).toHaveLength(1);
  });

  test('belong to visitors who are created in another way or renamed', async () => {
    await run(
      dump(row(21_001, { user: 'by-hand' }), row(21_002, { user: 'renamed' }), row(21_003, { user: 'unseen' })),
    );
    const form = { location_id: venue.location, name: 'Ayşe', provider_type: 'username', password: 'secret-12' };
    const { id } = await venue.create('panel/client', { ...form, username: 'by-hand' });
    const client = async () => (await imported('search=by-hand'))[0]?.client;
    expect(await client()).toMatchObject({ id });
    const changed = await venue.api.put(`panel/client/${id}`, { token: venue.admin, body: { username: 'renamed' } });
    expect(changed.status, changed.text).toBe(200);
    expect((await imported('search=renamed'))[0].client).toMatchObject({ id });
    // It came while the visitor was created.
    const { id: other } = await venue.create('panel/client', { ...form, username: 'unseen' });
    await venue.rows(sql`update imported_sessions set visitor_id = null where user_name = 'unseen'`);
    for (const it of [id, other])
      expect((await venue.api.delete(`panel/client/${it}`, { token: venue.admin })).status).toBe(204);
    for (const name of ['by-hand', 'renamed', 'unseen']) expect(await imported(`search=${name}`)).toEqual([]);
  });

  test('are found by MAC, IP and period, and come as CSV without formulas', async () => {
    await run(dump(row(30_001, { user: '=1+1', start: `${later} 10:00:00`, stop: `${later} 11:00:00` })));
    const period = `session_date[]=${later} 00:00:00&session_date[]=${later} 23:59:59`;
    expect(await imported(period)).toHaveLength(1);
    expect(await imported(`${period}&client_mac=ff`)).toEqual([]);
    expect(await imported(`${period}&user_ip=10.5.50.23&client_mac=02:aa:bb`)).toHaveLength(1);
    const { text } = await venue.api.get(`${list}?download=true&${period}`, { token: venue.admin, language: 'en' });
    expect(text.split('\r\n')[1]).toBe(
      `'=1+1,,02:AA:BB:CC:DD:01,10.5.50.23,10.5.50.1,${later} 10:00:00+03,${later} 11:00:00+03,3600,5000000000,1000,User-Request`,
    );
  });

  test('change no figure, no limit and no answer of the history', async () => {
    const profile = await venue.create('panel/location/user-profile', {
      name: 'A gigabyte',
      location_id: venue.location,
      total_quota: { is_active: true, option: 'gb', value: 1 },
    });
    const user = await venue.visitor({ profile_id: profile['id'] });
    const mac = '02:AA:BB:CC:DD:77';
    const token = venue.admin;
    const router = await routerAt(venue.api.app, venue.nas);
    const of = dayBefore(2);
    const [start_at, end_at] = [`${dayBefore(3)} 00:00:00`, `${dayBefore(0)} 23:59:59`];
    const seen = async () => {
      const figures = await Promise.all(
        ['overview', 'visits'].map(async name => {
          const query = new URLSearchParams({ start_at, end_at });
          const answer = await venue.api.get(`panel/statistics/${name}?${query}`, { token });
          expect(answer.status, answer.text).toBe(200);
          return answer.body.data;
        }),
      );
      const asked = await venue.api.post('panel/reports/who-was-it', {
        token,
        body: { at: `${of} 10:30:00`, address: '10.5.50.23', reason: 'a test' },
      });
      expect(asked.status, asked.text).toBe(200);
      // A class is made anew for each sign-in.
      const decision = { ...(await router.asks(user, { mac }, 'parola 1')), class: undefined };
      return { figures, matches: asked.body.data.matches, decision };
    };
    const before = await seen();
    expect(before).toMatchObject({ matches: [], decision: { outcome: 'accept', totalBytes: 1_000_000_000 } });
    await run(dump(row(35_001, { user, mac, start: `${of} 10:00:00`, stop: `${of} 11:00:00` })));
    expect(await imported(`search=${user}`)).toMatchObject([{ download: 5_000_000_000, client: { name: 'Guest' } }]);
    expect(await seen()).toEqual(before);
  });

  test('of a large file keep no other import out', async () => {
    const large = await read(dump(...Array.from({ length: 4100 }, (_, n) => row(80_000 + n))));
    const small = await read(dump(row(89_000)));
    for (const { id } of [large, small]) await venue.api.post(`${at}/${id}/start`, { token: venue.admin });
    const { withTenant } = venue.api.app.db;
    const seen: unknown[] = [];
    const watching = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementation((tenantId, work) =>
      withTenant(tenantId, async tx => {
        const result = await work(tx);
        seen.push(
          await tx.one(sql`
            select (select state from visitor_imports where id = ${large.id}) as large,
              (select state from visitor_imports where id = ${small.id}) as small`),
        );
        return result;
      }),
    );
    await job('run imports');
    watching.mockRestore();
    expect(seen).toContainEqual({ large: 'running', small: 'done' });
    expect(await get(large.id)).toMatchObject({ state: 'done', created: 4100 });
  });

  test('are deleted with their import, and after the retention period', async () => {
    const done = await run(dump(row(40_001, { user: 'undone' })));
    expect(await imported('search=undone')).toHaveLength(1);
    expect((await venue.api.delete(`${at}/${done.id}`, { token: venue.admin })).status).toBe(204);
    expect(await imported('search=undone')).toEqual([]);
    await run(dump(row(40_002, { user: 'aged' })));
    await venue.rows(
      sql`update imported_sessions set ended_at = '2001-01-01', started_at = '2001-01-01' where user_name = 'aged'`,
    );
    await job('forget imported sessions');
    expect(await imported('search=aged')).toEqual([]);
  });
});

/** Sessions of an import: more than one transaction deletes. */
const many = (importId: string, location: string, count = 10_001) =>
  venue.run(sql`
    insert into imported_sessions (tenant_id, location_id, import_id, source_key, user_name, nas, started_at, ended_at, seconds, upload, download, terminate_cause)
    select tenant_id, id, ${importId}, int8send(g), 'many', '', now(), now(), 1, 1, 1, '' from locations, generate_series(1, ${count}) g
    where id = ${location}`);
const count = async (name: string) =>
  Number(
    (await venue.rows<{ n: string }>(sql`select count(*) as n from imported_sessions where user_name = ${name}`))[0]?.n,
  );

describe('a deletion of many past sessions', () => {
  test('is written down at once, shown while it lasts, and done by a job', async () => {
    const done = await run(dump(row(95_001, { user: 'many' })));
    await many(done.id, venue.location);
    expect((await venue.api.delete(`${at}/${done.id}`, { token: venue.admin })).status).toBe(204);
    expect(await get(done.id)).toMatchObject({ state: 'deleting' });
    expect(await count('many')).toBe(2);
    const again = await venue.api.delete(`${at}/${done.id}`, { token: venue.admin });
    expect(again.status).toBe(409);
    const log = await venue.api.get('panel/audit?subject_type=visitor-import&verb=delete', { token: venue.admin });
    expect(log.body.data.filter((it: { subject: { id: string } }) => it.subject.id === done.id)).toHaveLength(1);
    await job('delete past sessions');
    expect(await count('many')).toBe(0);
    expect((await venue.api.get(`${at}/${done.id}`, { token: venue.admin })).status).toBe(404);
  });

  test('follows the deletion of their location', async () => {
    const place = await venue.api.location(venue.admin, 'Eski');
    await many('01920000-0000-7000-8000-000000000001', place);
    await run(dump(row(95_002, { user: 'stays' })));
    expect((await venue.api.delete(`panel/location/${place}`, { token: venue.admin })).status).toBe(204);
    expect(await count('many')).toBe(10_001);
    await job('delete past sessions');
    expect(await count('many')).toBe(0);
    expect(await count('stays')).toBe(1);
  });
});

describe('the room for files', () => {
  test('is that of two files, also of those that wait for their start, and for requests at once', async () => {
    await venue.rows(sql`delete from visitor_imports`);
    const half = 1024 ** 3;
    const sent = await Promise.all([1, 2, 3].map(() => announce(half)));
    expect(sent.map(it => it.status).sort()).toEqual([201, 201, 422]);
    await venue.rows(sql`delete from visitor_imports`);
    await read(dump(row(60_001)));
    expect((await announce(half)).status).toBe(201);
    expect((await announce(half)).body.errors).toHaveProperty('bytes');
    await venue.rows(sql`delete from visitor_imports`);
  });

  test('holds no copy of the file that could outlive the process', async () => {
    const folder = path.join(venue.api.app.settings.DATA_DIR, 'imports');
    const { withTenant } = venue.api.app.db;
    const seen: string[][] = [];
    const looking = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementation(async (tenantId, work) => {
      const result = await withTenant(tenantId, work);
      seen.push(await fs.readdir(folder, { recursive: true }).catch(() => []));
      return result;
    });
    await read(dump(row(60_002)), 100);
    looking.mockRestore();
    expect((await fs.stat(folder)).isDirectory(), 'where the file was').toBe(true);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.flat()).toEqual([]);
  });

  test('that is large keeps no small one waiting', async () => {
    const usual = large.bytes;
    const bytes = new TextEncoder().encode(dump(...Array.from({ length: 40 }, (_, n) => row(61_000 + n))));
    large.bytes = bytes.length;
    const { id } = (await announce(bytes.length)).body.data;
    await part(id, 0, bytes);
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { withTenant } = venue.api.app.db;
    const pausing = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementationOnce(async (tenantId, work) => {
      begun.resolve();
      await go.promise;
      return withTenant(tenantId, work);
    });
    try {
      const reading = job('read large files of past sessions');
      await begun.promise;
      expect(await read(dump(row(61_100)))).toMatchObject({ state: 'ready' });
      expect(await get(id)).toMatchObject({ state: 'reading' });
      go.resolve();
      await reading;
      expect(await get(id)).toMatchObject({ state: 'ready', total: 40 });
    } finally {
      pausing.mockRestore();
      large.bytes = usual;
    }
  });

  test('of another tenant is read between those of one that has many', async () => {
    await venue.api.tenantId('neighbours');
    const { token } = await venue.api.user('tenant-admin', { tenant: 'neighbours' });
    const who = { token, tenant: 'neighbours' };
    const body = { name: 'Komşu', time_zone: 'Europe/Istanbul' };
    const place = await venue.api.post('panel/location', { ...who, body });
    expect(place.status, place.text).toBe(201);
    const bytes = new TextEncoder().encode(dump(row(62_000)));
    const sent: string[] = [];
    const send = async (caller: { token: string; tenant?: string }, location: string) => {
      const named = { location_id: location, file_name: 'radacct.sql', bytes: bytes.length };
      const { id } = (await venue.api.post(`${at}/sessions`, { ...caller, body: named })).body.data;
      await venue.api.post(`${at}/${id}/part`, {
        ...caller,
        body: fileForm(bytes, { name: 'radacct.sql', starts_at: '0' }),
      });
      sent.push(id);
    };
    for (let n = 0; n < 3; n += 1) await send({ token: venue.admin }, venue.location);
    await send(who, place.body.data.id);
    await job('read past sessions');
    const ended = await venue.rows<{ id: string }>(
      sql`select id from visitor_imports where id = any(${sent}::uuid[]) order by progress_at`,
    );
    expect(ended.map(it => sent.indexOf(it.id)).indexOf(3)).toBeLessThan(2);
  });

  test('is asked for later when the disk is full, and at last the file is refused', async () => {
    const full = vi.spyOn(fs, 'statfs').mockResolvedValue({ ...(await fs.statfs('/')), bavail: 1000, bsize: 4096 });
    syncBuiltinESMExports();
    try {
      const { id } = (await announce(10)).body.data;
      await part(id, 0, new Uint8Array(10));
      await expect(job('read past sessions')).rejects.toThrow('no room');
      const asked = full.mock.calls.length;
      await job('read past sessions');
      expect(full.mock.calls).toHaveLength(asked);
      expect(await get(id)).toMatchObject({ state: 'reading' });
      for (let attempt = 2; attempt <= 7; attempt += 1) {
        await venue.rows(sql`update visitor_imports set next_attempt_at = now() where id = ${id}`);
        await expect(job('read past sessions')).rejects.toThrow('no room');
      }
      expect(await get(id)).toMatchObject({
        state: 'failed',
        sessions: { problem: expect.stringContaining('no room') },
      });
      expect(await venue.rows(sql`select from session_import_parts where import_id = ${id}`)).toEqual([]);
    } finally {
      full.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

describe('an import', () => {
  const age = (id: string) =>
    venue.rows(
      sql`update visitor_imports set created_at = created_at - interval '31 days' where id = ${id} returning id`,
    );
  const kept = async (id: string) => (await venue.api.get(`${at}/${id}`, { token: venue.admin })).status;

  test('is kept as long as its sessions, so that they can be deleted with it', async () => {
    const { id } = await run(dump(row(70_001, { user: 'kept' })));
    await age(id);
    await job('forget old imports');
    expect(await kept(id)).toBe(200);
    await venue.run(sql`delete from imported_sessions where import_id = ${id}`);
    await job('forget old imports');
    expect(await kept(id)).toBe(404);
  });

  test('that could not be read says why for a day', async () => {
    const { id } = await read('no dump at all');
    await age(id);
    await job('forget old imports');
    expect(await kept(id)).toBe(200);
    await venue.run(sql`update visitor_imports set progress_at = progress_at - interval '25 hours' where id = ${id}`);
    await job('forget old imports');
    expect(await kept(id)).toBe(404);
  });
});

describe('a file in parts', () => {
  test('takes each part at its place, and no more bytes than announced', async () => {
    const { id } = (await announce(10)).body.data;
    expect((await part(id, 5, new Uint8Array(5))).body.errors).toEqual({
      starts_at: ['The next part begins at byte 0.'],
    });
    expect((await part(id, 0, new Uint8Array(11))).body.errors).toEqual({
      file: ['The part is longer than the rest of the file.'],
    });
    expect((await part(id, 0, new Uint8Array(0))).status).toBe(422);
    expect((await part(id, 0, new Uint8Array(4))).status).toBe(200);
    expect(await get(id)).toMatchObject({ state: 'uploading', sessions: { received: 4, bytes: 10 } });
    expect((await venue.api.post(`${at}/${id}/start`, { token: venue.admin })).status).toBe(409);
    expect((await announce(2 * 1024 ** 3)).body.errors).toHaveProperty('bytes');
  });

  test('that holds no sessions is refused with its reason', async () => {
    for (const [content, problem] of [
      ['no dump at all', 'The file has no past sessions. Export the table radacct.'],
      [
        "INSERT INTO radacct VALUES (1,'a');",
        'The columns of radacct are not named. Export the table with its CREATE TABLE.',
      ],
      [`${dump(row(1)).slice(0, -30)}`, /^The text that begins in line \d never ends|^The file is cut off/],
    ] as const) {
      const it = await read(content);
      expect(it.state).toBe('failed');
      expect(it.sessions.problem).toMatch(problem);
    }
  });

  /** The answers to each request for an import, its start and its end. */
  const asked = async (id: string, who: { token: string; tenant?: string }) => {
    const body = fileForm(new Uint8Array(1), { name: 'radacct.sql', starts_at: '0' });
    const answers = [
      await venue.api.get(`${at}/${id}`, who),
      await venue.api.post(`${at}/${id}/part`, { ...who, body }),
      await venue.api.post(`${at}/${id}/start`, who),
      await venue.api.delete(`${at}/${id}`, who),
    ];
    return answers.map(it => it.status);
  };

  test('is out of reach for those who may not import', async () => {
    const { token: reader } = await venue.api.user('member', {
      location: venue.location,
      permissions: ['view-basic-stats'],
    });
    expect((await announce(10, reader)).status).toBe(403);
    const { id } = (await announce(10)).body.data;
    expect(await asked(id, { token: reader })).toEqual([403, 403, 403, 403]);
    expect(await get(id)).toMatchObject({ state: 'uploading', sessions: { received: 0 } });
    await run(dump(row(90_001)));
    const rows = await imported('', reader);
    expect(rows[0]).toMatchObject({ user_name: expect.stringMatching(/^.?\*\*\*$/) });
    expect(await imported('search=guest', reader)).toEqual([]);
    const { token: importer } = await venue.api.user('member', {
      location: venue.location,
      permissions: ['store-clients'],
    });
    expect((await venue.api.get(list, { token: importer })).status).toBe(403);
  });

  test('is out of reach at another location and of another tenant', async () => {
    const { id } = (await announce(10)).body.data;
    const other = await venue.api.location(venue.admin, 'Komşu');
    const { token: neighbour } = await venue.api.user('member', {
      location: other,
      permissions: ['store-clients', 'view-basic-stats', 'view-clients'],
    });
    await venue.api.tenantId('elsewhere');
    const { token: foreigner } = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    for (const who of [{ token: neighbour }, { token: foreigner, tenant: 'elsewhere' }]) {
      expect(await asked(id, who)).toEqual([404, 404, 404, 404]);
      const body = { location_id: venue.location, file_name: 'radacct.sql', bytes: 10 };
      const refused = await venue.api.post(`${at}/sessions`, { ...who, body });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['location_id']]);
      expect((await venue.api.get(list, who)).body.data).toEqual([]);
      const { text } = await venue.api.get(`${list}?download=true`, who);
      expect(text.trim().split('\r\n')).toHaveLength(1);
    }
    expect(await get(id)).toMatchObject({ state: 'uploading', sessions: { received: 0 } });
  });

  test('is no matter of members who are limited to some devices', async () => {
    const done = await run(dump(row(70_001, { user: 'hidden' })));
    const device = (
      await venue.rows<{ id: string }>(sql`select id from devices where location_id = ${venue.location}`)
    )[0]!.id;
    const { token } = await venue.api.user('member', {
      location: venue.location,
      permissions: ['view-basic-stats', 'view-clients', 'store-clients'],
      deviceIds: [device],
    });
    for (const query of ['search=hidden', 'download=true'])
      expect((await venue.api.get(`${list}?${query}`, { token })).status).toBe(403);
    expect((await announce(10, token)).status).toBe(403);
    const { id } = (await announce(10)).body.data;
    expect((await part(id, 0, new Uint8Array(1), token)).status).toBe(403);
    for (const it of [id, done.id]) expect((await venue.api.delete(`${at}/${it}`, { token })).status).toBe(403);
    expect(await imported('search=hidden')).toHaveLength(1);
  });
});
