import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepForLaw } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { noChdb, startChdb } from '#test/chdb.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { eraseIdle } from '../../visitors/retention.queries.ts';
import { recordPast } from '../past.ts';
import { makeScene, type Scene } from '../testing/scene.ts';
import { acrossArchive } from './across.ts';
import { archiveOld, eraseNames, forgetArchived } from './archive.jobs.ts';
import { addBatches, copyAgain, listArchived, listBatches, watch } from './archive.queries.ts';
import { sessionArchive } from './configured-archive.ts';
import { microsOf } from './export.ts';
import { windowOf } from './history.ts';

test('a page asks the archive for no session less than it may show', () => {
  // Every arrangement of sessions here and there, cut into pages, against the list sorted as a whole.
  for (let here = 0; here < 5; here++)
    for (let there = 0; there < 6; there++)
      for (let mask = 0; mask < 1 << Math.min(here, 3); mask++)
        for (const order of ['desc', 'asc'] as const)
          for (const per_page of [1, 2, 3]) {
            // Sessions here are newer than the archive, except those of the mask.
            const mine = Array.from({ length: here }, (_, i) => (mask & (1 << i) ? 10 + i * 7 + 0.5 : 100 + i));
            const archived = Array.from({ length: there }, (_, i) => 10 + i * 4);
            const sorted = (list: number[]) => list.sort((a, b) => (order === 'asc' ? a - b : b - a));
            const all = sorted([...mine, ...archived]);
            const border = Math.max(0, ...archived) + 1;
            const counts = { all: mine.length, early: mine.filter(it => it < border).length };
            for (let page = 1; (page - 1) * per_page <= all.length + 9; page++) {
              const { offset, limit } = windowOf({ page, per_page }, order, counts);
              const window = sorted([...archived]).slice(offset, offset + limit);
              const start = (page - 1) * per_page;
              const used = limit > 0 ? Math.min(offset, archived.length) : 0;
              const merged = sorted([...mine, ...window]);
              expect(merged.slice(start - used, start - used + per_page)).toEqual(all.slice(start, start + per_page));
            }
          }
});

test('a time of the archive is read to the microsecond', () => {
  expect(microsOf('2026-11-25 10:11:12.123456+00')).toBe(Date.UTC(2026, 10, 25, 10, 11, 12) * 1000 + 123456);
});

test('a change by an import of a tenant is noted while a month is copied, and a copy begins again after a cancelled move', async () => {
  const { app, tenantId } = await startApi();
  const { pool } = app.db;
  await pool.query('select ensure_partitions(1, 9)');
  const scene = await makeScene(app, await tenantId('panel'));
  const startedAt = new Date(Date.now() - 200 * 86_400_000);
  await recordPast(
    app,
    scene.tenantId,
    [{ deviceId: scene.device.id, username: '', mac: 'A0:00:00:00:00:01', ip: '10.5.50.1', sessionId: 'old' }].map(
      it => ({ ...it, startedAt, seconds: 60, upload: 1, download: 1 }),
    ),
  );
  await app.db.withSystem(tx => addBatches(tx, 3));
  const [begun] = await app.db.withSystem(tx => listBatches(tx, 'copying'));
  await app.db.withSystem(tx => watch(tx, begun!.batch));
  const state = async () =>
    (await app.db.withSystem(tx => listBatches(tx, 'copying'))).map(it => [it.watched, it.changed]);
  expect(await state()).toEqual([[true, false]]);
  await pool.query(
    'begin; set local session_replication_role = replica; update session_history set upload = 2; commit',
  );
  expect(await state()).toEqual([[true, true]]);
  await app.db.withSystem(async tx => {
    const [now] = await listBatches(tx, 'copying');
    await watch(tx, now!.batch);
  });
  expect(await state()).toEqual([[true, false]]);
  await app.db.withSystem(copyAgain);
  expect(await state()).toEqual([[true, true]]);
});

if (noChdb) console.warn(`Tests of the archive of sessions did not run: ${noChdb}`);

describe.skipIf(noChdb)('the archive', () => {
  const slug = 'venue';
  let chdb: Awaited<ReturnType<typeof startChdb>>;
  let api: TestApi;
  let scene: Scene;
  let other: Scene;
  let admin: string;
  let limited: string;
  let reseller: string;
  let stranger: string;
  let ada: string;
  const now = new Date();
  /** A day of the month that was so many months ago. */
  const day = (ago: number, at: number, hour = 12) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, at, hour, 0, at));
  const visit = (at: Scene, startedAt: Date, n: number, more: object = {}) => ({
    deviceId: at.device.id,
    username: n % 3 === 0 ? 'ada' : '',
    mac: `A0:00:00:00:00:0${n % 4}`,
    ip: `10.5.50.${n % 5}`,
    sessionId: `old-${startedAt.getTime()}-${n}`,
    startedAt,
    seconds: 3600,
    upload: 1000 + n,
    download: 2_000_000 + n,
    ...more,
  });
  const appWith = (settings: Partial<App['settings']>): App => ({
    ...api.app,
    settings: { ...api.app.settings, ...settings },
  });
  const months = async () =>
    (
      await api.app.db.pool.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'session_history'::regclass`,
      )
    ).rows.map(it => it.name);
  const partition = (ago: number) => `session_history_${day(ago, 15).toISOString().slice(0, 7).replace('-', '_')}`;

  beforeAll(async () => {
    chdb = await startChdb();
    api = await startApi({
      LOG_DATABASE_URL: chdb.url,
      SESSION_ARCHIVE_MONTHS: '3',
      LOG_RETENTION_DAYS: '9000',
      VISITOR_RETENTION_DAYS: '9000',
    });
    await api.app.db.pool.query('select ensure_partitions(3, 12)');
    [scene, other] = [
      await makeScene(api.app, await api.tenantId(slug)),
      await makeScene(api.app, await api.tenantId('other')),
    ];
    admin = (await api.user('tenant-admin', { tenant: slug })).token;
    stranger = (await api.user('tenant-admin', { tenant: 'other' })).token;
    const second = await scene.addDevice();
    limited = (await api.user('member', { tenant: slug, location: scene.locationId, deviceIds: [second.id] })).token;
    const owner = await api.user('reseller', { tenant: slug });
    reseller = owner.token;
    await scene.inTenant(tx => tx.run(sql`update locations set owner_id = ${owner.id} where id = ${scene.locationId}`));
    ada = await scene.addVisitor('ada', 'pw', { phone: '+905301234567', provider_type: 'sms' });
    let n = 0;
    const visits = [];
    for (const ago of [9, 6, 5, 4, 3, 2, 1])
      for (let at = 1; at <= 25; at += 2)
        visits.push(visit(scene, day(ago, at), n++, n % 2 ? { deviceId: second.id } : {}));
    await recordPast(api.app, scene.tenantId, visits);
    await recordPast(api.app, other.tenantId, [visit(other, day(6, 3), 1), visit(other, day(5, 3), 2)]);
    // One that ended lately stays, and one that began long ago.
    await recordPast(api.app, scene.tenantId, [
      visit(scene, day(5, 9, 3), 900, { seconds: Math.floor((Date.now() - day(5, 9, 3).getTime()) / 1000) - 86_400 }),
      visit(scene, day(14, 9), 901),
    ]);
    const rows = await scene.closed();
    await api.app.db.pool.query(
      `insert into session_addresses (tenant_id, session_id, network, first_at, last_at)
       select tenant_id, id, '2001:db8::7', started_at, ended_at from session_history where id = any($1)`,
      [
        [
          rows.find(it => it.acct_session_id.endsWith('-20'))!.id,
          rows.find(it => it.acct_session_id.endsWith('-80'))!.id,
        ],
      ],
    );
  });
  afterAll(() => chdb?.close());

  const get = (at: string, token = admin, tenant = slug) => api.get(at, { token, tenant });
  const year = `session_date=${day(15, 1).toISOString().slice(0, 10)}T00:00:00,${now.toISOString().slice(0, 10)}T23:59:59`;
  async function pages(query: string, token = admin, tenant = slug, perPage = 7) {
    const rows: Body[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await get(
        `panel/reports/sessions?${query}&per_page=${perPage}&page=${page}`,
        token,
        tenant,
      );
      if (status !== 200) return { status, body };
      rows.push(...body.data);
      if (body.data.length < perPage) return { rows, total: body.meta.total };
    }
  }
  const lookUp = async (ago: number, it: object) =>
    (
      await api.post('panel/reports/who-was-it', {
        token: admin,
        tenant: slug,
        body: {
          at: `${day(ago, 7).toISOString().slice(0, 10)}T12:30Z`,
          port: null,
          mac: null,
          reason: 'Savcılık 12',
          ...it,
        },
      })
    ).body;
  async function csv(query: string) {
    const response = await fetch(`${api.url}/v1/panel/reports/sessions?${query}&download=true`, {
      headers: { authorization: `Bearer ${admin}`, 'x-tenant': slug },
    });
    return { status: response.status, lines: (await response.text()).split('\r\n').sort() };
  }
  /** The guest of an address at the edges of a session of an hour: five minutes before and after it still count. */
  const edges = async (address: string) => {
    const started = day(6, 15).getTime();
    const found: Body[][] = [];
    for (const seconds of [-301, -300, 600, 3000, 3900, 3901])
      found.push((await lookUp(6, { address, at: new Date(started + seconds * 1000).toISOString() })).data.matches);
    return found;
  };
  /** All that reads the history, as a caller gets it. */
  async function everything() {
    const identified = await lookUp(6, { address: '10.5.50.1' });
    return {
      all: await pages(year),
      oldest: await pages(`${year}&sort=started&order=asc`),
      large: await pages(year, admin, slug, 50),
      mac: await pages(`${year}&client_mac=A0:00:00:00:00:02`),
      part: await pages(`${year}&client_mac=00:01`),
      ip: await pages(`${year}&user_ip=10.5.50.4`),
      ipPart: await pages(`${year}&user_ip=50.3`),
      ipv6: await pages(`${year}&user_ip=2001:db8::7`),
      ipv6Part: await pages(`${year}&user_ip=db8::`),
      name: await pages(`${year}&search=ada`),
      maker: await pages(`${year}&search=a00000`),
      session: await pages(`${year}&search=OLD-${day(5, 9, 3).getTime()}`),
      nothing: await pages(`${year}&search=unmatched`),
      letters: await pages(`${year}&user_ip=x\\y`),
      device: await pages(`${year}&deviceIds=${scene.device.id}`),
      limited: await pages(year, limited),
      reseller: await pages(year, reseller),
      other: await pages(year, stranger, 'other'),
      byMac: (await get('panel/reports/multiple-sessions')).body.data,
      sessions: (await get(`panel/client/${ada}/sessions?per_page=9&page=2`)).body,
      more: (await get(`panel/client/${ada}/sessions?per_page=9&page=4`)).body,
      devices: (await get(`panel/client/${ada}/devices`)).body,
      attempts: (await get(`panel/client/${ada}/failed-logins`)).body,
      identified: identified.data?.matches ?? identified,
      identifiedIpv6: await edges('2001:db8::7'),
      identifiedIpv4: await edges('10.5.50.0'),
      csv: await csv(year),
    };
  }

  let before: Awaited<ReturnType<typeof everything>>;

  test('nothing is shown twice or lost while a month moves, also when something fails', async () => {
    before = await everything();
    expect(before.all.total).toBe(13 * 7 + 2);
    expect(before.identified.length).toBeGreaterThan(0);
    for (const found of [before.identifiedIpv6, before.identifiedIpv4])
      expect(found.map(it => it.length)).toEqual([0, 1, 1, 1, 1, 0]);
    expect([before.session.total, before.maker.total]).toEqual([1, before.all.total]);
    expect((before.ipv6 as { rows: Body[] }).rows.length).toBe(2);
    // The server is away, then it forgets to answer: nothing moved.
    for (const fail of [chdb.refuse, chdb.loseAnswers]) {
      fail(({ insert }) => insert);
      await expect(archiveOld(api.app)).rejects.toThrow();
      expect(await pages(year)).toEqual(before.all);
      expect(await months()).toContain(partition(6));
      fail(() => false);
    }
    // A month that changes while it is copied begins again.
    let changes = 0;
    chdb.refuse(({ query }) => {
      if (query.includes('sum(seconds)') && changes++ === 0)
        void api.app.db.pool.query('update session_history set upload = upload + 1 where id = $1', [
          (before.all as { rows: Body[] }).rows.at(-3)!.id,
        ]);
      return false;
    });
    // Two processes at once, with a reader who pages all the time.
    let over = false;
    const moves = Promise.allSettled([archiveOld(api.app), archiveOld(api.app)]).finally(() => {
      over = true;
    });
    let reads = 0;
    while (!over) {
      const { rows, total } = (await pages(year)) as { rows: Body[]; total: number };
      expect(total).toBe(before.all.total);
      expect(rows.map(it => it.id)).toEqual((before.all as { rows: Body[] }).rows.map(it => it.id));
      reads++;
    }
    await moves;
    chdb.refuse(() => false);
    await archiveOld(api.app);
    expect(reads).toBeGreaterThan(0);
    const left = await months();
    for (const ago of [9, 6, 5, 4]) expect(left).not.toContain(partition(ago));
    for (const ago of [3, 2, 1]) expect(left).toContain(partition(ago));
  });

  test('everything reads as before', async () => {
    const changed = (before.all as { rows: Body[] }).rows.at(-3)!.id;
    const without = (it: unknown) =>
      JSON.parse(JSON.stringify(it, (key, value) => (value?.id === changed || key === 'upload' ? undefined : value)));
    const after = await everything();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const key of Object.keys(before) as (keyof typeof before)[])
      expect(without(after[key]), key).toEqual(without(before[key]));
    const { rows } = await api.app.db.pool.query(
      `select count(*)::int as n from session_history where started_at < $1`,
      [day(3, 1, 0)],
    );
    expect(rows[0].n, 'the session that ended lately, and the one without a month').toBe(2);
  });

  test('a tenant reads no session of another one', async () => {
    const archive = sessionArchive(api.app.settings)!;
    const batches = await api.app.db.withSystem(listArchived);
    const mine = await archive.of(scene.tenantId, batches).find({}, { limit: 1000 });
    const foreign = await archive.of(other.tenantId, batches).find({}, { limit: 1000 });
    expect([mine.length > 10, foreign.length]).toEqual([true, 2]);
    const crossing = archive.of(other.tenantId, batches);
    const ids = mine.map(it => it.id);
    expect(await crossing.find({ ids }, { limit: 1000 })).toEqual([]);
    expect(await crossing.find({ visitors: [ada] }, { limit: 1000 })).toEqual([]);
    expect(await crossing.find({ locations: [scene.locationId] }, { limit: 1000 })).toEqual([]);
    expect(await crossing.find({ ip: '1.1.1.1', orIds: ids }, { limit: 1000 })).toEqual([]);
    expect(await crossing.count({ ids }, 10)).toBe(0);
    expect(await crossing.devices({ visitors: [ada] })).toEqual([]);
    const hostile = "x') or 1=1 or ('";
    expect(await crossing.find({ mac: hostile }, { limit: 10 })).toEqual([]);
    await expect(crossing.find({ ids: [hostile] }, { limit: 10 })).rejects.toThrow('UUID');
    const asked = chdb.seen.filter(
      ({ query }) => /\bfrom session_archive\b/.test(query) && query.includes('as tenant_id'),
    );
    expect(asked.length).toBeGreaterThan(50);
    for (const { query, tenant } of asked) {
      expect(query).toContain('session_archive where tenant_id = {tenant:UUID}');
      expect(tenant).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await get(`panel/client/${ada}/sessions`, stranger, 'other')).status).toBe(404);
  });

  test('an archive that is away is said, in both languages, and never shows less', async () => {
    chdb.refuse(() => true);
    const recent = `session_date=${day(2, 1).toISOString().slice(0, 10)}T00:00:00,${now.toISOString().slice(0, 10)}T23:59:59`;
    expect((await get(`panel/reports/sessions?${recent}`)).status, 'a period that needs no archive').toBe(200);
    for (const at of [
      `panel/reports/sessions?${year}`,
      `panel/reports/sessions?${year}&download=true`,
      `panel/client/${ada}/sessions`,
      `panel/client/${ada}/devices`,
      `panel/client/${ada}/failed-logins`,
    ]) {
      const refused = await get(at);
      expect([at, refused.status, refused.body.code]).toEqual([at, 503, 'archive_away']);
      expect(refused.headers.get('retry-after')).toBe('5');
    }
    expect(await lookUp(6, { address: '10.5.50.3' })).toMatchObject({ code: 'archive_away' });
    const turkish = await api.get(`panel/reports/sessions?${year}`, { token: admin, tenant: slug, language: 'tr' });
    expect(turkish.body.message).toContain('arşiv');
    chdb.refuse(() => false);
    expect((await pages(year)).total).toBe(before.all.total);
  });

  test('an archive that lacks sessions is away too', async () => {
    const emptier = appWith({ LOG_DATABASE_URL: `${chdb.url}_empty` });
    const read = <T>(work: Parameters<typeof emptier.db.readTenant<T>>[1]) =>
      emptier.db.readTenant(scene.tenantId, work);
    await expect(
      acrossArchive(
        { app: emptier, tenantId: scene.tenantId, read },
        {
          prepare: async () => ({ span: { since: 0, until: 8e15 } }),
          find: archive => archive.find({}, { limit: 10 }),
          answer: async (_, found) => found,
        },
      ),
    ).rejects.toMatchObject({ code: 'archive_away' });
  });

  test('an erased guest with archived sessions keeps its identity for the law', async () => {
    await scene
      .inTenant(tx => tx.run(sql`delete from session_history where visitor_id = ${ada}`))
      .catch(() => undefined);
    await api.app.db.withSystem(tx => tx.run(sql`delete from session_history where visitor_id = ${ada}`));
    await scene.inTenant(tx => keepForLaw(tx, ada));
    const kept = await scene.inTenant(tx => tx.many(sql`select id from erased_guests where id = ${ada}`));
    expect(kept).toEqual([{ id: ada }]);
    await scene.inTenant(tx => tx.run(sql`delete from erased_guests where id = ${ada}`));
  });

  test('a visitor who is erased leaves no user name in the archive', async () => {
    const archive = sessionArchive(api.app.settings)!;
    expect(await archive.named(scene.tenantId, [ada])).toEqual([ada]);
    await scene.inTenant(tx =>
      tx.run(
        sql`update visitors set updated_at = now() - interval '400 days', session_start_at = null, session_end_at = null where id = ${ada}`,
      ),
    );
    await api.app.db.withSystem(tx =>
      tx.run(sql`delete from visitor_days where visitor_id = ${ada} and day > current_date - 70`),
    );
    const erased = await api.app.db.withSystem(tx => eraseIdle(tx, { days: 60, lawDays: 9000, limit: 10 }));
    expect(erased).toBe(1);
    const [kept] = await scene.inTenant(tx =>
      tx.many<{ erased_at: string }>(sql`select erased_at from erased_guests where id = ${ada}`),
    );
    expect(kept, 'its sessions are in the archive').toBeDefined();
    chdb.refuse(() => true);
    await expect(eraseNames(api.app)).rejects.toThrow();
    chdb.refuse(() => false);
    const named = async () => {
      await eraseNames(api.app);
      return archive.named(scene.tenantId, [ada]);
    };
    await expect.poll(named).toEqual([]);
    await eraseNames(api.app);
    expect((await api.app.db.pool.query('select from session_archive_erasures')).rowCount).toBe(0);
  });

  test('retention reaches the archive: readers at once, and the rows', async () => {
    const total = async (app: App) => {
      const batches = await app.db.withSystem(listArchived);
      return batches.length === 0
        ? 0
        : sessionArchive(app.settings)!
            .of(scene.tenantId, batches)
            .count({ began: { since: 0, until: 8e15 } }, 1000);
    };
    const all = await total(api.app);
    const days = Math.round((Date.now() - day(6, 13).getTime()) / 86_400_000);
    const shorter = appWith({ LOG_RETENTION_DAYS: days });
    const some = await total(shorter);
    expect(some).toBeLessThan(all);
    expect(some).toBeGreaterThan(0);
    await forgetArchived(shorter);
    await forgetArchived(shorter);
    await expect.poll(() => total(api.app), { message: 'the rows are gone for longer periods too' }).toBe(some);
    expect((await pages(year)).total).toBeGreaterThan(0);
    await forgetArchived(appWith({ LOG_RETENTION_DAYS: 70 }));
    expect(await total(api.app)).toBe(0);
  });
});
