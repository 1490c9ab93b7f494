import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { jobs, runJob } from '../../services/jobs.ts';
import { watchDevices } from '../devices/watch.jobs.ts';
import { makeScene, type Scene } from '../sessions/testing/scene.ts';
import { confirmClock } from './public.ts';

const slug = 'clocks';
const api = await startApi();
const admin = (await api.user('tenant-admin', { tenant: slug })).token;
const get = (at: string) => api.get(at, { token: admin, tenant: slug });
const run = (name: string) => runJob(api.app, jobs.find(job => job.name === name)!);
const system = (query: ReturnType<typeof sql>) => api.app.db.withSystem(tx => tx.run(query));
/** A day from now, for lists whose location may have another day than the caller. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
let scene: Scene;
beforeEach(async () => {
  await system(sql`delete from online_sessions`);
  scene = await makeScene(api.app, await api.tenantId(slug));
  await confirmClock(api.app);
});

describe('after a clock that was ahead is corrected', () => {
  test('a silent device goes offline, and one that was never seen stays offline', async () => {
    const { id } = scene.device;
    const never = await scene.addDevice();
    await system(
      sql`update devices set last_seen_at = now() + interval '1 year', down_since = now() - interval '1 hour' where id = ${id}`,
    );
    await run('correct timestamps in the future');
    const seen = (await get(`panel/device/${id}`)).body.data;
    expect(seen.status).toBe('online');
    expect(Date.parse(seen.last_seen_at)).toBeLessThan(Date.now() + 60_000);
    expect((await get(`panel/device/${never.id}`)).body.data).toMatchObject({ status: 'offline', last_seen_at: null });
    // Moves time on by twenty minutes of silence after the correction.
    await system(sql`update devices set last_seen_at = last_seen_at - interval '20 minutes' where id = ${id}`);
    await watchDevices(api.app);
    expect((await get(`panel/device/${id}`)).body.data.status).toBe('offline');
  });

  test('its sessions do not rank before new ones, and end when they send nothing', async () => {
    const ahead = async () => {
      await system(sql`update online_sessions set started_at = started_at + interval '1 year', updated_at = updated_at + interval '1 year',
        day = day + 365, hour_ends_at = hour_ends_at + interval '1 year' where tenant_id = ${scene.tenantId} and device_id = ${scene.device.id}`);
      await system(sql`update guest_devices set session_started_at = session_started_at + interval '1 year'
        where tenant_id = ${scene.tenantId} and location_id = ${scene.locationId}`);
    };
    await scene.send('start', { session: 'first', ago: 100 });
    await scene.send('start', { session: 'other', mac: 'B0:00:00:00:00:02', ago: 100 });
    await ahead();
    await run('correct timestamps in the future');
    for (const it of await scene.open()) {
      expect(Date.parse(it.started_at)).toBeLessThan(Date.now() + 60_000);
      expect(Date.parse(it.updated_at)).toBeLessThan(Date.now() + 60_000);
    }
    const latest = await scene.inTenant(tx =>
      tx.many<{ at: string }>(
        sql`select session_started_at as at from guest_devices where location_id = ${scene.locationId}`,
      ),
    );
    for (const { at } of latest) expect(Date.parse(at)).toBeLessThan(Date.now() + 60_000);
    const rows = (
      await get(`panel/reports/sessions?session_date[]=${day(-2)}&session_date[]=${day(2)}`)
    ).body.data.filter((it: { client_mac: string }) => it.client_mac.startsWith('B0'));
    expect(rows).toHaveLength(1);
    await scene.send('start', { session: 'second' });
    expect((await scene.open()).map(it => it.acct_session_id)).toEqual(['other', 'second']);
    await scene.age(600);
    await run('close stale sessions');
    expect(await scene.open()).toEqual([]);
  });

  /** A session that began, and was counted, by a clock two days ahead. Answers how to read its totals. */
  async function countedAhead() {
    await scene.send('start', { session: 'counted', seconds: 0, ago: 0 });
    const today = sql`(now() at time zone (select time_zone from locations where id = ${scene.locationId}))::date`;
    await system(sql`update online_sessions set started_at = started_at + interval '2 days', updated_at = updated_at + interval '2 days',
      day = day + 2, hour_ends_at = hour_ends_at + interval '2 days' where location_id = ${scene.locationId}`);
    for (const totals of ['session_hours', 'session_days', 'visitor_days', 'visitor_device_days'])
      await system(sql`update ${sql([totals])} set day = day + 2 where location_id = ${scene.locationId}`);
    const differences = () =>
      api.app.db.withSystem(tx =>
        tx.many(
          sql`select d.* from generate_series(-1, 3) n, figure_differences(${scene.tenantId}, ${scene.locationId}, ${today} + n) d`,
        ),
      );
    const days = () =>
      api.app.db.withSystem(tx =>
        tx.many(
          sql`select day - ${today} as ahead, sessions from session_days where location_id = ${scene.locationId} and sessions > 0 order by 1`,
        ),
      );
    expect([await days(), await differences()]).toEqual([wrong, []]);
    return { days, differences };
  }
  const wrong = [{ ahead: 2, sessions: 1 }];
  const right = [{ ahead: 0, sessions: 1 }];
  const notes = async () =>
    (
      await api.app.db.withSystem(tx =>
        tx.many(sql`select from figures_to_repair where location_id = ${scene.locationId}`),
      )
    ).length;

  test('its sessions are counted on the day on which they began by the right clock', async () => {
    const { days, differences } = await countedAhead();
    await run('correct timestamps in the future');
    // Not with the sessions, whose packets would wait for it.
    expect(await days()).toEqual(wrong);
    await run('repair figures after a clock');
    expect([await days(), await differences(), await notes()]).toEqual([right, [], 0]);
  });

  test('a repair that is interrupted is done by the next run', async () => {
    const { days, differences } = await countedAhead();
    await run('correct timestamps in the future');
    // A total that cannot be computed.
    const upload = (value: string) =>
      system(sql`update session_days set upload = ${value}::bigint where location_id = ${scene.locationId}`);
    await upload('-9223372036854775808');
    await expect(run('repair figures after a clock')).rejects.toThrow('were not compared');
    // Only the other day is done.
    expect([await days(), await notes()]).toEqual([[...right, ...wrong], 1]);
    await upload('0');
    await run('repair figures after a clock');
    expect([await days(), await differences(), await notes()]).toEqual([right, [], 0]);
  });

  test('a day that another process repairs is left to it', async () => {
    const { days, differences } = await countedAhead();
    await run('correct timestamps in the future');
    const dies = api.app.db.withSystem(async tx => {
      await tx.run(sql`delete from figures_to_repair`);
      await run('repair figures after a clock');
      throw new Error('dies');
    });
    await expect(dies).rejects.toThrow('dies');
    expect(await days()).toEqual(wrong);
    await run('repair figures after a clock');
    expect([await days(), await differences(), await notes()]).toEqual([right, [], 0]);
  });
});

describe('after the clock was set back by two days', () => {
  const back = sql`interval '2 days'`;
  /** Makes the clock look as if it had been two days ahead until now. */
  const setBack = () => system(sql`update clock set seen_at = now() + ${back}`);
  const rows = <R extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
    api.app.db.withSystem(tx => tx.many<R>(query));
  const mail = (due: ReturnType<typeof sql>) =>
    system(sql`insert into outbox_mails (tenant_id, id, address, language, template, next_at)
      values (${scene.tenantId}, new_id(), 'clock@example.com', 'tr', 'none', ${due})`);
  const mails = () =>
    rows<{ minutes: number }>(sql`select round(extract(epoch from next_at - now()) / 60)::int as minutes
      from outbox_mails where address = 'clock@example.com' order by 1`);

  test('waiting work is due when it was before, and is not moved a second time', async () => {
    await mail(sql`now() + ${back} - interval '1 minute'`);
    await mail(sql`now() + ${back} + interval '5 minutes'`);
    const { id } = scene.device;
    await system(sql`update devices set pages_checked_at = now() + ${back} - interval '20 minutes' where id = ${id}`);
    await system(sql`insert into log_streams (tenant_id, device_id, position, sealing_until) values (${scene.tenantId}, ${id}, 0, now() + ${back})
      on conflict (tenant_id, device_id) do update set sealing_until = excluded.sealing_until`);
    await run('correct timestamps in the future');
    expect(await mails(), 'the clock was right until now').toEqual([{ minutes: 2879 }, { minutes: 2885 }]);
    await setBack();
    for (let times = 0; times < 2; times += 1) {
      await run('correct timestamps in the future');
      expect(await mails()).toEqual([{ minutes: -1 }, { minutes: 5 }]);
    }
    expect(
      await rows(sql`select d.pages_checked_at < now() - interval '19 minutes' as asked, s.sealing_until < now() + interval '11 minutes' as sealed
        from devices d join log_streams s on s.device_id = d.id where d.id = ${id}`),
    ).toEqual([{ asked: true, sealed: true }]);
    await system(sql`delete from outbox_mails where address = 'clock@example.com'`);
  });

  test('a guest whose access began by that clock gets in now, and a start that an operator chose stays', async () => {
    const made = async (
      username: string,
      created: ReturnType<typeof sql>,
      start: ReturnType<typeof sql>,
      portalMac: string | null = null,
    ) => {
      const form = {
        location_id: scene.locationId,
        name: username,
        provider_type: 'username',
        username,
        password: 'parola 1',
      };
      const answer = await api.post('panel/client', { token: admin, tenant: slug, body: form });
      expect(answer.status, answer.text).toBe(201);
      await system(sql`update visitors set created_at = ${created}, updated_at = ${created}, session_start_at = ${start},
        portal_mac = ${portalMac}::macaddr, session_end_at = now() + interval '9 days' where id = ${answer.body.data.id}`);
    };
    // Some seconds after the job last looked at the clock, which is then set back.
    const used = sql`date_trunc('second', now()) + ${back} + interval '10 seconds'`;
    await made('began', used, used);
    await made('chosen', sql`now()`, used);
    await made('later', sql`now() + interval '3 days'`, sql`now() + interval '3 days'`);
    // The clock has microseconds. An operator changed the first guest later, and chose the start of the second one.
    await made('portal began', sql`now()`, sql`${used} + interval '1 microsecond'`, '02:00:00:00:61:01');
    await made('portal chosen', sql`now()`, used, '02:00:00:00:61:02');
    await setBack();
    await run('correct timestamps in the future');
    expect(
      await rows(sql`select name, session_start_at <= now() as begun, session_end_at > now() + interval '8 days' as ends
        from visitors where name in ('began', 'chosen', 'later', 'portal began', 'portal chosen') and location_id = ${scene.locationId} order by 1`),
    ).toEqual([
      { name: 'began', begun: true, ends: true },
      { name: 'chosen', begun: false, ends: true },
      { name: 'later', begun: false, ends: true },
      { name: 'portal began', begun: true, ends: true },
      { name: 'portal chosen', begun: false, ends: true },
    ]);
  });

  test('each time for which work waits is known to follow the clock', async () => {
    const [known] = await rows<{ text: string }>(sql`select pg_get_functiondef('follow_clock'::regproc) as text`);
    const times = await rows<{ place: string; moment: string }>(sql`
      select table_name as place, column_name as moment from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and column_name ~ '^(next_.*_?at|next_at|check_at|.*tried_at|.*ended_try|asked_at|lease_until|.*ing_until|blocked_until|give_up_at|hour_at|window_end|sent_since)$'`);
    expect(times.length).toBeGreaterThan(15);
    const missing = times.filter(it => !known!.text.includes(`('${it.place}', '${it.moment}'`));
    // The job of backups looks at it itself.
    expect(missing).toEqual([{ place: 'installation', moment: 'backup_tried_at' }]);
  });
});

describe('a clock that suddenly jumps years ahead', () => {
  const sessions = async () =>
    (await scene.closed()).filter(it => it.device_id === scene.device.id).map(it => it.acct_session_id);
  const notices = async () =>
    (await get('panel/notification?per_page=100')).body.data.filter(
      (it: { kind: string }) => it.kind === 'clock_doubted',
    );
  // A different day each time, because the same doubt is notified once.
  let daysOff = 1000;
  /** A session of nearly three years ago, when the server last ran. By this clock it has expired. */
  async function leapAhead(): Promise<void> {
    daysOff += 1;
    await scene.send('stop', { session: 'last', seconds: 60, ago: 0 });
    await system(sql`update session_history set started_at = started_at - interval '1000 days', ended_at = ended_at - interval '1000 days'
      where tenant_id = ${scene.tenantId}`);
    await clockAt(daysOff);
  }
  const clockAt = (days: number) =>
    system(
      sql`update clock set known_at = now() - make_interval(days => ${days}), checked_at = known_at, doubted_since = null`,
    );

  test('erases nothing, notifies each administrator once, and goes on after a confirmation', async () => {
    await leapAhead();
    const before = (await notices()).length;
    for (const job of jobs.filter(it => it.erases))
      for (let times = 0; times < 2; times += 1) await runJob(api.app, job);
    expect(await sessions()).toEqual(['last']);
    const notified = (await notices()).slice(0, (await notices()).length - before);
    expect(notified).toHaveLength(1);
    expect(notified[0].body).toContain(new Date(Date.now() - daysOff * 86_400_000).toISOString().slice(0, 10));
    const turkish = await api.get('panel/notification', { token: admin, tenant: slug, language: 'tr' });
    expect(turkish.body.data[0].title).toBe('Sunucunun saati yanlış olabilir: hiçbir kayıt silinmiyor');
    await confirmClock(api.app);
    await run('forget old sessions');
    expect(await sessions()).toEqual([]);
  });

  test('is trusted after it ran evenly for a week, and doubted again when it jumps', async () => {
    await leapAhead();
    await run('forget old sessions');
    const doubted = (days: number, lookedHoursAgo: number) =>
      system(
        sql`update clock set doubted_since = now() - make_interval(days => ${days}), checked_at = now() - make_interval(hours => ${lookedHoursAgo})`,
      );
    await doubted(6, 1);
    await run('forget old sessions');
    await doubted(8, 40);
    await run('forget old sessions');
    await doubted(8, -40);
    await run('forget old sessions');
    expect(await sessions()).toEqual(['last']);
    await doubted(7, 1);
    await run('forget old sessions');
    expect(await sessions()).toEqual([]);
  });

  test('is trusted again when it is corrected; one that is behind does no harm', async () => {
    await leapAhead();
    await run('look at the clock');
    // Back at the known time: no doubt is left, and expired data is erased as before.
    await clockAt(1);
    await run('forget old sessions');
    expect(await sessions()).toEqual([]);
    await clockAt(-400);
    await run('look at the clock');
    const [row] = await api.app.db.withSystem(tx =>
      tx.many<{ behind: boolean }>(sql`select known_at <= now() as behind from clock`),
    );
    expect(row).toEqual({ behind: true });
  });
});

test('every job that erases by age waits for the clock, except those for expired links and similar', () => {
  const erasing = jobs.filter(job => /^(erase|forget|trim|old) /.test(job.name));
  expect(erasing.length).toBeGreaterThan(10);
  const others = erasing.filter(job => !job.erases).map(job => job.name);
  expect(others.sort()).toEqual([
    'erase archived names',
    'erase unused pictures',
    'forget expired tickets',
    'forget unfetched permissions',
    'forget unfetched scripts',
    'old failures',
    'old sign-ins',
  ]);
});
