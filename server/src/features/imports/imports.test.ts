import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { routerAt } from '#features/sessions/testing/router.ts';
import { perl } from '#lib/system-crypt.ts';
import type { Answer } from '#test/harness.ts';
import { fileForm } from '#test/uploads.ts';
import { importJobs } from './imports.jobs.ts';
import * as queries from './imports.queries.ts';
import { daloradius, freeradiusPostgres, radiusdesk, unifi, userManager6, userManager7 } from './testing/files.ts';

let venue: Venue;
let profile: string;
beforeAll(async () => {
  venue = await startVenue();
  await venue.offer({ slug: 'username' });
  profile = (await venue.create('panel/location/user-profile', { location_id: venue.location, name: 'Students' })).id;
}, 120_000);
beforeEach(() => venue.newMac());

interface Options {
  name?: string;
  token?: string;
  location_id?: string;
  language?: 'tr' | 'en';
}
const upload = (content: string | Uint8Array<ArrayBuffer>, options: Options = {}): Promise<Answer> => {
  const { name = 'dump.sql', token = venue.admin, location_id = venue.location, language = 'en' } = options;
  return venue.api.post('panel/client-import', { token, language, body: fileForm(content, { name, location_id }) });
};
const read = async (content: string | Uint8Array<ArrayBuffer>, options: Options = {}) => {
  const answer = await upload(content, options);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const start = (id: string, token = venue.admin) => venue.api.post(`panel/client-import/${id}/start`, { token });
const get = async (id: string) =>
  (await venue.api.get(`panel/client-import/${id}`, { token: venue.admin, language: 'en' })).body.data;
const work = () => importJobs[0]!.run(venue.api.app);
const run = async (content: string | Uint8Array<ArrayBuffer>, options: Options = {}) => {
  const { id } = await read(content, options);
  expect((await start(id)).status).toBe(202);
  await work();
  return get(id);
};
const one = async (search: string) => {
  const list = await venue.api.get(`panel/client?search=${encodeURIComponent(search)}`, { token: venue.admin });
  const row = list.body.data.find((it: { username: string }) => it.username === search);
  return row && (await venue.api.get(`panel/client/${row.id}`, { token: venue.admin })).body.data;
};
const total = async () => (await venue.rows<{ n: number }>(sql`select count(*) as n from visitors`))[0]!.n;
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const check = (...rows: readonly (readonly [string, string, string])[]) =>
  `INSERT INTO radcheck (username, attribute, op, value) VALUES ${rows
    .map(([user, attribute, value]) => `(${[user, attribute, ':=', value].map(quoted).join(', ')})`)
    .join(', ')};\n`;

const radius = async (userName: string, password: string, method: 'pap' | 'chap' = 'pap') =>
  (await (await routerAt(venue.api.app, venue.nas)).asks(userName, { mac: venue.mac, method }, password)).outcome;

describe('a dump of daloRADIUS', () => {
  // Each of these tests imports the same visitors for the first time.
  beforeEach(() => venue.run(sql`delete from visitors`));

  test('is reported, and creates nothing before the start', async () => {
    const before = await total();
    const report = await read(daloradius);
    expect(report).toMatchObject({
      source: 'freeradius',
      state: 'ready',
      total: 8,
      created: 5,
      updated: 0,
      skipped: 3,
      accounting: 3,
      own_limits: 1,
    });
    expect(report.groups).toEqual([
      { name: '', visitors: 5, hints: [], profile_id: null },
      { name: 'students', visitors: 2, hints: ['Mikrotik-Rate-Limit 2M/4M'], profile_id: profile },
      { name: 'staff', visitors: 1, hints: [], profile_id: null },
    ]);
    expect(report.unknown.map((it: { name: string }) => it.name)).toEqual(
      expect.arrayContaining(['Max-All-Session', 'Idle-Timeout', 'company', 'note']),
    );
    expect(report.passwords).toEqual(
      expect.arrayContaining([
        { form: 'clear', count: 4 },
        { form: 'nt', count: 1 },
      ]),
    );
    expect(report.problems).toEqual([
      {
        line: 12,
        username: 'dora',
        message: expect.stringMatching(/stored as crypt, which cannot be checked at sign-in\. Give this user/),
      },
      { line: 12, username: 'device', message: 'There is no password in the file.' },
      { line: 12, username: 'x'.repeat(70), message: 'Enter at most 64 characters.' },
    ]);
    expect(await total()).toBe(before);
  });

  test('reports an empty password as no password', async () => {
    const { problems } = await read(
      check(['empty', 'Cleartext-Password', ''], ['full', 'Cleartext-Password', 'full-1']),
    );
    expect(problems).toEqual([{ line: 1, username: 'empty', message: 'There is no password in the file.' }]);
  });

  test('creates visitors with names, contacts, limits, validity and session profiles', async () => {
    const done = await run(daloradius);
    expect(done).toMatchObject({ state: 'done', created: 5, updated: 0, skipped: 3, total: 8 });
    expect(await one('ada')).toMatchObject({
      name: 'Ada Lövelace; "O\'Brien"',
      email: 'ada@example.com',
      phone: '+90 530 123 45 67',
      username: 'ada',
      password: "it's; -- a 'secret",
      profile: { name: 'Students' },
      session_end_at: '2030-11-19T21:00:00Z',
    });
    expect(await one('bob')).toMatchObject({
      password: null,
      special_profile: true,
      shared_user: 3,
      session_duration: { is_active: true, option: 'minute', value: 30 },
      max_upload: { is_active: true, option: 'kbps', value: 512 },
      max_download: { is_active: true, option: 'mbps', value: 2 },
    });
    expect(await one('cem')).toMatchObject({ blocked: true });
    const [entry] = (await venue.api.get('panel/audit?subject_type=visitor', { token: venue.admin })).body.data;
    expect(entry).toMatchObject({ verb: 'create', subject: { name: 'dump.sql' }, after: { total_user: 5 } });
    const left = await venue.rows(
      sql`select 1 from visitor_import_rows where import_id = ${done.id} and data is not null`,
    );
    expect(left, 'passwords are not kept with the rows').toEqual([]);
  });

  test('creates no duplicates, and updates on request', async () => {
    await run(daloradius);
    const before = await total();
    const again = await run(daloradius);
    expect(again).toMatchObject({ created: 0, updated: 0, skipped: 8 });
    expect(again.problems[0].message).toBe('A visitor with this username exists.');
    const { id, groups } = await read(daloradius.replace('Lövelace', 'King'));
    const body = { existing: 'update', groups: groups.map((it: object) => ({ ...it, profile_id: null })) };
    const chosen = await venue.api.put(`panel/client-import/${id}`, { token: venue.admin, body });
    expect(chosen.body.data, chosen.text).toMatchObject({ created: 0, updated: 5, skipped: 3 });
    await start(id);
    await work();
    expect(await get(id)).toMatchObject({ created: 0, updated: 2, skipped: 6 });
    expect(await one('ada')).toMatchObject({
      name: 'Ada King; "O\'Brien"',
      profile: null,
      password: "it's; -- a 'secret",
    });
    expect(await total()).toBe(before);
  });
});

test('a hash of LAN Manager counts only without a better one', async () => {
  const hashes = check(
    ['both', 'LM-Password', 'E52CAC67419A9A224A3B108F3FA6CB6D'],
    ['both', 'NT-Password', '8846F7EAEE8FB117AD06BDD830B7586C'],
    ['lanman', 'LM-Password', 'E52CAC67419A9A224A3B108F3FA6CB6D'],
  );
  const { passwords } = await run(hashes);
  expect(passwords).toEqual(expect.arrayContaining(['nt', 'lm'].map(form => ({ form, count: 1 }))));
  expect(await radius('both', 'PASSWORD')).toBe('reject');
  expect(await radius('both', 'password')).toBe('accept');
  expect(await radius('lanman', 'PASSWORD')).toBe('accept');
});

test('limits take the unit of the panel in which they are said best, rounded up to its steps', async () => {
  const reply = (rows: [user: string, attribute: string, value: string][]) =>
    `INSERT INTO radreply (username, attribute, value) VALUES ${rows.map(it => `('${it.join("','")}')`).join(',')};\n`;
  const passwords = check(
    ...['two', 'ninety', 'day', 'low', 'over'].map(it => [it, 'Cleartext-Password', 'x1'] as const),
  );
  const limits = reply([
    ['two', 'Session-Timeout', '7200'],
    ['two', 'Mikrotik-Rate-Limit', '300k/1500k'],
    ['ninety', 'Session-Timeout', '5400'],
    ['ninety', 'WISPr-Bandwidth-Max-Down', '200000000'],
    ['day', 'Session-Timeout', '86400'],
    ['low', 'Session-Timeout', '90'],
    // Routers take a speed of 0 for no limit.
    ['low', 'WISPr-Bandwidth-Max-Up', '0'],
    ['low', 'ChilliSpot-Bandwidth-Max-Down', '0'],
    ['over', 'Session-Timeout', '99999999'],
  ]);
  const done = await run(passwords + limits);
  expect(done).toMatchObject({ created: 5, unknown: [{ name: 'Session-Timeout', count: 1 }] });
  const of = (value: number, option: string) => ({ is_active: true, option, value });
  expect(await one('two')).toMatchObject({
    session_duration: of(2, 'hour'),
    max_upload: of(384, 'kbps'),
    max_download: of(2, 'mbps'),
  });
  expect(await one('ninety')).toMatchObject({ session_duration: of(2, 'hour'), max_download: of(1, 'gbps') });
  expect(await one('day')).toMatchObject({ session_duration: of(1, 'day') });
  expect(await one('low')).toMatchObject({
    session_duration: of(5, 'minute'),
    max_upload: { is_active: false },
    max_download: { is_active: false },
  });
  expect(await one('over')).toMatchObject({ special_profile: false });
});

test('a dump of FreeRADIUS by pg_dump is read, with COPY', async () => {
  const done = await run(freeradiusPostgres);
  expect(done).toMatchObject({ source: 'freeradius', created: 2, skipped: 0, accounting: 1 });
  expect(await one('pgada')).toMatchObject({ password: 'back\\slash\ttab' });
});

test('a dump of RADIUSdesk brings permanent users and vouchers', async () => {
  const done = await run(radiusdesk);
  expect(done).toMatchObject({ source: 'radiusdesk', created: 3, skipped: 1 });
  expect(await one('rdada')).toMatchObject({ name: 'Ada Lovelace', password: 'rd-secret', email: 'ada@rd.example' });
  expect(await one('rdbob')).toMatchObject({ blocked: true });
  expect(await one('sunny-day')).toMatchObject({ password: 'rain1' });
});

test('exports of User Manager 7 and 6 are read', async () => {
  const seven = await read(userManager7, { name: 'um7.rsc' });
  expect(seven).toMatchObject({ source: 'user-manager', total: 3, created: 2, skipped: 1 });
  expect(seven.groups).toEqual([
    { name: 'Soirée 23h', visitors: 1, hints: ['validity 1d'], profile_id: null },
    { name: 'gün', visitors: 1, hints: ['validity 1d'], profile_id: null },
    { name: '', visitors: 1, hints: [], profile_id: null },
  ]);
  await start(seven.id);
  await work();
  expect(await one('um7ada')).toMatchObject({ name: 'Oda 12, "Ada"', password: 'p $1"\\', shared_user: 2 });
  const six = await run(userManager6, { name: 'um6.rsc' });
  expect(six).toMatchObject({ source: 'user-manager', created: 2 });
  expect(await one('um6ada')).toMatchObject({ name: 'Ada Lovelace', password: 'abc123', email: 'ada@example.com' });
});

test('vouchers of UniFi become visitors that sign in with their code', async () => {
  const done = await run(unifi, { name: 'vouchers.csv' });
  expect(done).toMatchObject({ source: 'csv', created: 2, skipped: 1 });
  expect(done.groups.map((it: { name: string }) => it.name)).toEqual(['8 hours', '24 hours']);
  expect(done.problems).toMatchObject([{ line: 4, message: 'It has ended in the other program.' }]);
  expect(await one('1234567890')).toMatchObject({
    name: 'Room 12',
    password: '1234567890',
    max_download: { is_active: true, option: 'mbps', value: 2 },
  });
  expect(await radius('1234567890', '1234567890')).toBe('accept');
});

describe('an imported password', () => {
  const hash = (algorithm: string, text: string, salt = '') =>
    Buffer.concat([createHash(algorithm).update(text).update(salt).digest(), Buffer.from(salt)]);
  const forms: readonly (readonly [string, string])[] = [
    ['User-Password', 'password'],
    ['MD5-Password', hash('md5', 'password').toString('hex')],
    ['SMD5-Password', hash('md5', 'password', 'salt').toString('base64')],
    ['SHA1-Password', hash('sha1', 'password').toString('hex')],
    ['SSHA-Password', hash('sha1', 'password', 'salt').toString('base64')],
    ['SHA2-Password', hash('sha256', 'password').toString('hex')],
    ['SSHA2-512-Password', hash('sha512', 'password', 'salt').toString('base64')],
    ['NT-Password', '8846F7EAEE8FB117AD06BDD830B7586C'],
    ['Crypt-Password', '$1$abcdefgh$G//4keteveJp0qb8z2DxG/'],
    ['Crypt-Password', '$5$rounds$FnMNMNvvhUSAmRDX0XznATLkIRS/yM5bucM7.gJdHg4'],
    ['Crypt-Password', 'abJnggxhB/yWI'],
    ['Crypt-Password', '$2y$05$Vf2Oa8q9rmp06DjGjgw6ue.SD.zpM0ej.YBavIaUxGMXNtzpBDlVG'],
    ['Password-With-Header', `{SSHA}${hash('sha1', 'password', 'salt').toString('base64')}`],
    // The system's libcrypt checks these. They are by `perl -e crypt`.
    ['Crypt-Password', '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$tnSYvahCwPBHKZUspmcxMfb0.WiB9W.zEaKlOBL35rC'],
    ['Crypt-Password', '$gy$j9T$F5Jx5fExrKuPp53xLKQ..1$Dogv.jai3UfiqXFIeQV0FWiA2xx/QPuuov.EGnMByDD'],
    ['Crypt-Password', '$7$CU..../....F5Jx5fExrKuPp53x$dYgWlMNadqinRDdpzfJTnWZu2765vhHJTxCLh4lX4FB'],
    ['Crypt-Password', '$md5,rounds=5000$abcdefgh$$BLDTpoFp.rOuMkDqRJHGl.'],
    ['Crypt-Password', '$md5$abcdefgh$$ZxccX5lio58EZKsCI/Peg0'],
    ['Crypt-Password', '$sha1$24680$abcdefgh$P6DJFz1dZi5FX2eeV1LzUkzUIptN'],
    ['Crypt-Password', '_J9..CCCC.MOp/ZbelpA'],
    ['Crypt-Password', '$2x$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu'],
    ['Crypt-Password', '$2a$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu'],
    ['Crypt-Password', '$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu'],
    [
      'Crypt-Password',
      '$6$rounds=50000$abcdefgh$wVwhqhP5a8pTB9L7EpOeuVDLHmoXzeTgQ5vpxJkvsi317dt2SeBZmulD8uGspAOIEqezcFaIVnJXsqDyDqoLM1',
    ],
    ['Crypt-Password', '$5$rounds=50000$abcdefgh$JQVqwHiF6MpGR1IC/WO6Qic7.Ox85pHZIjkQO88qgY9'],
  ];
  beforeAll(async () => {
    const done = await run(
      check(
        ...forms.flatMap(([attribute, value], i) => [
          [`pap${i}`, attribute, value] as const,
          [`web${i}`, attribute, value] as const,
        ]),
      ),
    );
    expect(done).toMatchObject({ created: forms.length * 2, skipped: 0 });
  });

  test.each(forms.map(([attribute], i) => [i, attribute] as const))('%i %s is accepted by RADIUS', async i => {
    expect(await radius(`pap${i}`, 'wrong')).toBe('reject');
    expect(await radius(`pap${i}`, 'password')).toBe('accept');
    expect((await one(`pap${i}`)).password, 'kept from the first sign-in on').toBe('password');
    expect(await radius(`pap${i}`, 'password', 'chap')).toBe('accept');
  });

  test.each(forms.map(([attribute], i) => [i, attribute] as const))('%i %s is accepted by the portal', async i => {
    const answer = await venue.submit({ username: `web${i}`, password: 'password' });
    expect(answer.status, answer.html).toBe(303);
    expect((await one(`web${i}`)).password).toBe('password');
    venue.newMac();
    expect((await venue.submit({ username: `web${i}`, password: 'wrong' })).status).toBe(422);
  });

  test('whose check takes long keeps no other guest of the batch waiting', async () => {
    await run(check(['long', 'Crypt-Password', forms.at(-1)![1]], ['short', 'User-Password', 'password']));
    const router = await routerAt(venue.api.app, venue.nas);
    const [long, short] = await router.decides([
      router.request('long', { mac: venue.mac }, 'password'),
      router.request('short', { mac: '02:00:00:00:00:99' }, 'password'),
    ]);
    expect(short).toMatchObject({ outcome: 'accept' });
    expect(long).toBeInstanceOf(Promise);
    expect(await long).toMatchObject({ outcome: 'accept' });
  });

  test('that cannot be checked now is neither right nor wrong', async () => {
    await run(check(['away', 'Crypt-Password', forms.at(-1)![1]]));
    const { path } = perl;
    perl.path = '/nowhere/perl';
    try {
      const answer = await venue.submit({ username: 'away', password: 'password' });
      expect([answer.status, answer.html]).toEqual([
        503,
        expect.stringContaining('The service is not available right now'),
      ]);
      await expect(radius('away', 'password')).rejects.toMatchObject({ code: 'away' });
    } finally {
      perl.path = path;
    }
    expect(await radius('away', 'password')).toBe('accept');
  });

  test('that is a hash cannot be used with CHAP before it was typed once, nor as the password itself', async () => {
    const md5 = hash('md5', 'password').toString('hex');
    await run(check(['chap', 'MD5-Password', md5]));
    expect(await radius('chap', 'password', 'chap')).toBe('reject');
    expect(await radius('chap', md5)).toBe('reject');
    expect(await radius('chap', 'password')).toBe('accept');
    expect(await radius('chap', 'password', 'chap')).toBe('accept');
  });

  test('that is a hash is not shown, and stays when the visitor is changed', async () => {
    await run(check(['later', 'NT-Password', '8846F7EAEE8FB117AD06BDD830B7586C']));
    const visitor = await one('later');
    expect([visitor.password, visitor.sign_in_url]).toEqual([null, null]);
    const cards = await venue.api.post('panel/client/selected/cards', {
      token: venue.admin,
      body: { ids: [visitor.id] },
    });
    expect(cards.body.data).toEqual([]);
    const changed = await venue.api.put(`panel/client/${visitor.id}`, {
      token: venue.admin,
      body: { name: 'Renamed' },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(await radius('later', 'password')).toBe('accept');
  });
});

describe('an interrupted import', () => {
  const many = (prefix: string) =>
    `Username,Password\n${Array.from({ length: 1200 }, (_, i) => `${prefix}${i},secret-${i}`).join('\n')}\n`;

  test('continues after the last chunk, without duplicates', async () => {
    const before = await total();
    const { id } = await read(many('crash'), { name: 'users.csv' });
    await start(id);
    const withTenant = venue.api.app.db.withTenant;
    const dying = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementation((tenantId, work) =>
      withTenant(tenantId, async tx => {
        const result = await work(tx);
        // The process dies in the second chunk, before it commits.
        const chunk = await tx.maybe(sql`select from visitor_imports where id = ${id} and created > 500`);
        if (chunk) throw new Error('power cut');
        return result;
      }),
    );
    await expect(work()).rejects.toThrow('power cut');
    dying.mockRestore();
    expect(await get(id)).toMatchObject({ state: 'running', created: 500 });
    expect(await total()).toBe(before + 500);
    await Promise.all([work(), work()]);
    await work();
    expect(await get(id)).toMatchObject({ state: 'done', created: 1200, skipped: 0 });
    expect(await total()).toBe(before + 1200);
    await work();
    expect(await total()).toBe(before + 1200);
  }, 60_000);

  const losses: Record<string, (user: string) => Promise<unknown>> = {
    'was removed from the team': user =>
      venue.api.delete(`panel/location/${venue.location}/user/${user}`, { token: venue.admin }),
    'lost the permission': user =>
      venue.run(sql`update location_members set permissions = '{view-clients}' where user_id = ${user}`),
    'has no account': user => venue.run(sql`delete from users where id = ${user}`),
  };
  test.for(Object.keys(losses))(
    'stops after the chunk in which its starter %s, and says so',
    { timeout: 60_000 },
    async what => {
      const before = await total();
      const member = await venue.api.user('member', { location: venue.location });
      const { id } = await read(many(`${what.replaceAll(' ', '-')}-`), { name: 'users.csv', token: member.token });
      expect((await start(id, member.token)).status).toBe(202);
      const withTenant = venue.api.app.db.withTenant;
      let isDone = false;
      const spy = vi.spyOn(venue.api.app.db, 'withTenant').mockImplementation(async (tenantId, work) => {
        const result = await withTenant(tenantId, work);
        if (isDone) return result;
        const begun = sql`select from visitor_imports where id = ${id} and created > 0`;
        if (await withTenant(tenantId, tx => tx.maybe(begun))) {
          isDone = true;
          await losses[what]!(member.id);
        }
        return result;
      });
      await work();
      spy.mockRestore();
      expect(await get(id), what).toMatchObject({ state: 'stopped', created: 500, finished_at: expect.any(String) });
      expect(await total(), what).toBe(before + 500);
      // Nothing is kept of the rest, which has passwords.
      expect(await venue.rows(sql`select 1 from visitor_import_rows where import_id = ${id}`)).toEqual([]);
      await work();
      expect(await total(), what).toBe(before + 500);
      expect((await venue.api.delete(`panel/client-import/${id}`, { token: venue.admin })).status).toBe(204);
    },
  );

  test('can be stopped, and cannot be started or changed twice', async () => {
    const { id } = await read(many('stop'), { name: 'users.csv' });
    expect((await start(id)).status).toBe(202);
    expect((await start(id)).status).toBe(409);
    const body = { existing: 'keep', groups: [] };
    expect((await venue.api.put(`panel/client-import/${id}`, { token: venue.admin, body })).status).toBe(409);
    expect((await venue.api.delete(`panel/client-import/${id}`, { token: venue.admin })).status).toBe(204);
    const before = await total();
    await work();
    expect(await total()).toBe(before);
    expect((await venue.api.get(`panel/client-import/${id}`, { token: venue.admin })).status).toBe(404);
  });

  test('is forgotten when it was not started for a week, and 30 days after its end', async () => {
    const forget = importJobs.find(it => it.name === 'forget old imports')!;
    const waiting = await read('Username,Password\nold,secret\n', { name: 'users.csv' });
    const done = await run('Username,Password\nfinished,secret\n', { name: 'users.csv' });
    const left = async (id: string, hours: number) => {
      await venue.run(
        sql`update visitor_imports set created_at = now() - make_interval(hours => ${hours}) where id = ${id}`,
      );
      await forget.run(venue.api.app);
      return (await venue.api.get(`panel/client-import/${id}`, { token: venue.admin })).status;
    };
    expect([await left(waiting.id, 7 * 24 - 1), await left(waiting.id, 7 * 24 + 1)]).toEqual([200, 404]);
    expect([await left(done.id, 30 * 24 - 1), await left(done.id, 30 * 24 + 1)]).toEqual([200, 404]);
  });
});

describe('the choices', () => {
  test('name a wrong group, an unknown profile and one that is paid', async () => {
    const { id } = await read('Username,Password,Profile\nwrong,secret,Gold\n', { name: 'users.csv' });
    const sale = { is_active: true, option: 'try', value: 50 };
    const paid = (
      await venue.create('panel/location/user-profile', { location_id: venue.location, name: 'Gold', paid_sale: sale })
    ).id;
    const put = async (groups: object[]) => {
      const answer = await venue.api.put(`panel/client-import/${id}`, {
        token: venue.admin,
        body: { existing: 'keep', groups },
      });
      return [answer.status, Object.keys(answer.body.errors ?? {})];
    };
    expect(await put([{ name: 'Silver', profile_id: null }])).toEqual([422, ['groups.0.name']]);
    expect(await put([{ name: 'Gold', profile_id: id }])).toEqual([422, ['groups.0.profile_id']]);
    expect(await put([{ name: 'Gold', profile_id: paid }])).toEqual([422, ['groups.0.profile_id']]);
    expect(await put([{ name: 'Gold', profile_id: profile }])).toEqual([200, []]);
  });

  test('need the permission to update visitors for those that exist', async () => {
    const maker = await venue.api.user('member', { location: venue.location, permissions: ['store-clients'] });
    const { id } = await read('Username,Password\nperm,secret\n', { name: 'users.csv', token: maker.token });
    const put = (existing: string) =>
      venue.api.put(`panel/client-import/${id}`, { token: maker.token, body: { existing, groups: [] } });
    expect((await put('update')).status).toBe(403);
    expect((await put('keep')).status).toBe(200);
    await venue.run(sql`update visitor_imports set existing = 'update' where id = ${id}`);
    expect((await start(id, maker.token)).status).toBe(403);
  });
});

describe('a hostile file', () => {
  const refusal = async (content: string | Uint8Array<ArrayBuffer>) => {
    const answer = await upload(content);
    return [answer.status, answer.body.errors?.file?.[0]];
  };
  const unknown = 'This is no export of FreeRADIUS, daloRADIUS, RADIUSdesk, User Manager or UniFi.';

  test('is refused with its reason, and creates nothing', async () => {
    const before = await venue.rows(sql`select count(*) as n from visitor_imports`);
    expect(await refusal('')).toEqual([422, unknown]);
    expect(await refusal('hello')).toEqual([422, unknown]);
    expect(await refusal(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toEqual([422, unknown]);
    expect(await refusal('CREATE TABLE radcheck (id int);\nDROP TABLE visitors;\n')).toMatchObject([
      422,
      expect.stringContaining('no usernames'),
    ]);
    expect(await refusal("INSERT INTO radcheck VALUES (1,'a")).toMatchObject([422, expect.stringContaining('line 1')]);
    expect(await refusal("INSERT INTO radcheck VALUES (1,'a','b'")).toEqual([422, 'The file is cut off in line 1.']);
    expect(await refusal(`/user-manager user\nadd name=${'a\\\n'.repeat(20_000)}`)).toMatchObject([
      422,
      expect.stringContaining('too long'),
    ]);
    expect((await upload('x'.repeat(20 * 1024 * 1024 + 1))).status).toBe(413);
    expect(await venue.rows(sql`select count(*) as n from visitor_imports`)).toEqual(before);
  });

  test('of other statements, names of JavaScript and deep brackets does no harm', async () => {
    const odd = [
      'DROP TABLE visitors; DELETE FROM visitors; UPDATE radcheck SET value = 1;',
      "INSERT INTO radcheck SELECT * FROM visitors WHERE a = 'x';",
      `INSERT INTO radcheck VALUES ${'('.repeat(100_000)}${')'.repeat(100_000)};`,
      "INSERT INTO constructor VALUES (1,'__proto__');",
      check(
        ['odd', 'constructor-Password', '__proto__'],
        ['odd', '__proto__', 'x'],
        ['odd', 'Cleartext-Password', 'fine-1'],
        ['__proto__', 'Cleartext-Password', 'fine-2'],
      ),
      '/* INSERT INTO radcheck VALUES (1) */ -- end',
    ].join('\n');
    const done = await run(odd);
    expect(done).toMatchObject({ created: 2, skipped: 0 });
    expect(await radius('odd', 'fine-1')).toBe('accept');
    expect(await radius('__proto__', 'fine-2')).toBe('accept');
  });

  test('of text that cannot be stored names the line', async () => {
    const wide = new Uint8Array(Buffer.from('\ufeffUsername,Password\nbad\0name,secret\nok,sec\0ret\n', 'utf16le'));
    const report = await read(wide, { name: 'users.csv' });
    expect(report.problems.map((it: { line: number }) => it.line)).toEqual([2, 3]);
  });

  test('of ten million characters is read', async () => {
    const row = `('a','Cleartext-Password',':=','${'\\\\'.repeat(100)}'),`;
    const long = `INSERT INTO radcheck (username,attribute,op,value) VALUES ${row.repeat(Math.floor(10e6 / row.length))}('a','x','=','y');`;
    const report = await read(long);
    expect(report.total).toBe(1);
  }, 60_000);
});

describe('attackers', () => {
  const file = 'Username,Password\nthief,secret1\n';
  test('without the permission, at another location or of another tenant reach nothing', async () => {
    const looking = await venue.api.user('member', { location: venue.location, permissions: ['view-clients'] });
    expect((await upload(file, { token: looking.token })).status).toBe(403);
    const other = await venue.api.location(venue.admin, 'Komşu');
    const neighbour = await venue.api.user('member', { location: other });
    const refused = await upload(file, { token: neighbour.token });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['location_id']]);
    const { id } = await read(file, { name: 'users.csv' });
    const { token } = neighbour;
    for (const answer of [
      await venue.api.get(`panel/client-import/${id}`, { token }),
      await start(id, token),
      await venue.api.delete(`panel/client-import/${id}`, { token }),
    ])
      expect(answer.status).toBe(404);
    const list = await venue.api.get('panel/client-import', { token: neighbour.token });
    expect(list.body.data).toEqual([]);
    await venue.api.tenantId('elsewhere');
    const foreigner = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const from = { token: foreigner.token, tenant: 'elsewhere' };
    expect((await venue.api.get(`panel/client-import/${id}`, from)).status).toBe(404);
    const body = fileForm(file, { name: 'x.csv', location_id: venue.location });
    expect((await venue.api.post('panel/client-import', { ...from, body })).status).toBe(422);
    expect(await venue.api.inTenant(tx => queries.countPlan(tx, id))).toMatchObject({ fresh: 1 });
  });
});
