import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#features/auth/public.ts';
import { newId } from '#lib/ids.ts';
import type { AuthorizeDecision } from '#radius/types.ts';
import { startApp } from '#test/harness.ts';
import { commandForProfile, limitsOf } from './limit-commands.queries.ts';
import { claimCommands } from './session-commands.queries.ts';
import { endSession, sendWaitingCommands } from './sessions.service.ts';
import { expectAgo, noteBegin, secondsOfTest } from './testing/ago.ts';
import { answers, startCoaRouter } from './testing/coa-router.ts';
import { limits, makeScene, type Scene } from './testing/scene.ts';

const app = await startApp();
let scene: Scene;
beforeEach(async () => {
  scene = await makeScene(app);
});
noteBegin();

const day = 86_400;
const mac = (n: number) => `A0:00:00:00:00:0${n}`;
const paid = { paid_sale: { is_active: true, option: 'eur', value: 5 } };
const secondsOf = (it: AuthorizeDecision) => (it.outcome === 'accept' ? it.sessionTimeoutSeconds : it.outcome);
const bytesOf = (it: AuthorizeDecision) => (it.outcome === 'accept' ? it.totalBytes : it.outcome);
const reasonOf = (it: AuthorizeDecision) => (it.outcome === 'reject' ? it.replyMessage : it.outcome);
const signIn = (n = 1) => scene.signIn({ user: 'ada', password: 'pw', mac: mac(n) });
const commands = () =>
  scene.inTenant(tx =>
    tx.many<{ session: string; kind: string; reason: string }>(sql`
      select o.acct_session_id as session, k.kind, k.reason from session_commands k join online_sessions o on o.id = k.session_id
      order by k.requested_at, o.acct_session_id`),
  );
/** Sends accounting of the visitor's session on device `n`. */
const report = async (
  status: 'start' | 'interim' | 'stop',
  n: number,
  it: { up?: number; down?: number; seconds?: number; ago?: number } = {},
) => scene.send(status, { session: `s${n}`, mac: mac(n), user: 'ada', ...it });
const visitorOf = (id: string) =>
  scene.inTenant(tx =>
    tx.one<{ session_end_at: string | null; paid_end_at: string | null }>(
      sql`select session_end_at, paid_end_at from visitors where id = ${id}`,
    ),
  );
/** The time was so many seconds away at a moment of this test. */
const later = (seconds: number, time: string | null) => expectAgo(time!, -seconds);
/** So many seconds were left when this test began, or later. The database rounds down. */
function expectLeft(it: AuthorizeDecision, seconds: number): void {
  const left = secondsOf(it);
  expect(left).toBeLessThanOrEqual(seconds);
  expect(left).toBeGreaterThanOrEqual(seconds - 1 - secondsOfTest());
}

describe('paid days', () => {
  test('begin with the first sign-in, limit the session and are used once', async () => {
    const profile = await scene.addProfile({ sharedUser: 3 }, paid);
    const id = await scene.addVisitor('ada', 'pw', { profile_id: profile, total_paid_day: 2 });
    expect(secondsOf(await signIn())).toBe(2 * day);
    later(2 * day, (await visitorOf(id)).paid_end_at);
    const { session_end_at, paid_end_at } = await visitorOf(id);
    expect(session_end_at).toBe(paid_end_at);
    await scene.inTenant(tx =>
      tx.run(
        sql`update visitors set session_end_at = session_end_at - interval '1 day', paid_end_at = paid_end_at - interval '1 day'`,
      ),
    );
    expectLeft(await signIn(2), day);
    await scene.inTenant(tx =>
      tx.run(
        sql`update visitors set session_end_at = session_end_at - interval '1 day', paid_end_at = paid_end_at - interval '1 day'`,
      ),
    );
    expect(reasonOf(await signIn(3))).toBe('Your access has ended.');
  });

  test.for(['lost its price', 'was deleted'])('begin with the first sign-in although their profile %s', async fate => {
    const profile = await scene.addProfile({}, paid);
    const id = await scene.addVisitor('ada', 'pw', { profile_id: profile, total_paid_day: 2 });
    await scene.inTenant(async tx => {
      await tx.run(sql`
        insert into sales (id, location_id, visitor_id, profile_id, days, unit_price, currency, total, sold_on)
        values (${newId()}, ${scene.locationId}, ${id}, ${profile}, 2, 5, 'eur', 10, current_date)`);
      if (fate === 'was deleted') await tx.run(sql`delete from profiles where id = ${profile}`);
      else await tx.run(sql`update profiles set paid_sale = jsonb_set(paid_sale, '{is_active}', 'false')`);
    });
    expect(secondsOf(await signIn())).toBe(2 * day);
    later(2 * day, (await visitorOf(id)).paid_end_at);
  });

  test('are not days of a free profile that were never sold', async () => {
    await scene.addVisitor('ada', 'pw', { profile_id: await scene.addProfile({}), total_paid_day: 2 });
    expect(secondsOf(await signIn())).toBeUndefined();
  });

  test('do not begin with a wrong password or a device beyond the limit', async () => {
    const profile = await scene.addProfile({ sharedUser: 1 }, paid);
    const id = await scene.addVisitor('ada', 'pw', { profile_id: profile, total_paid_day: 2 });
    await scene.signIn({ user: 'ada', password: 'wrong' });
    expect(await visitorOf(id)).toEqual({ session_end_at: null, paid_end_at: null });
    await signIn();
    const begun = await visitorOf(id);
    expect(reasonOf(await signIn(2))).toMatch(/Too many/);
    expect(await visitorOf(id)).toEqual(begun);
  });

  test('end no later than the visitor’s end date', async () => {
    const profile = await scene.addProfile({}, paid);
    const until = new Date(Date.now() + 3600_000).toISOString();
    await scene.addVisitor('ada', 'pw', { profile_id: profile, total_paid_day: 2, session_end_at: until });
    expectLeft(await signIn(), 3600);
  });

  test('end at the same time of day, also when the clocks are changed meanwhile', async () => {
    await scene.set('locations', scene.locationId, { time_zone: 'Europe/Berlin' });
    const profile = await scene.addProfile({}, paid);
    const clock = (time: string | number) =>
      new Date(time).toLocaleTimeString('de', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
    // The clocks leave out the hour after two o'clock on one day of the year.
    const ends = (time: string) => [time, time.replace(/^02/, '03')];
    // At least one of these ends in the other half of the year, with its clocks.
    for (const days of [60, 120, 180, 240]) {
      const id = await scene.addVisitor(`d${days}`, 'pw', { profile_id: profile, total_paid_day: days });
      const before = clock(Date.now());
      await scene.signIn({ user: `d${days}`, password: 'pw', mac: mac(1) });
      const possible = [before, clock(Date.now())].flatMap(ends);
      expect(possible, `${days} days`).toContain(clock((await visitorOf(id)).paid_end_at!));
    }
  });

  test('have no effect with a free profile', async () => {
    await scene.addVisitor('ada', 'pw', { profile_id: await scene.addProfile(), total_paid_day: 2 });
    expect(secondsOf(await signIn())).toBeUndefined();
  });

  test('have no effect where only the profile of the location is paid', async () => {
    await scene.set('locations', scene.locationId, { default_profile_id: await scene.addProfile({}, paid) });
    await scene.addVisitor('ada', 'pw', { total_paid_day: 2 });
    expect(secondsOf(await signIn())).toBeUndefined();
  });
});

describe('time', () => {
  test('per day is shared by all devices and sessions', async () => {
    const profile = await scene.addProfile({ sharedUser: 5 }, { daily_duration: limits.hours(2) });
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    expect(secondsOf(await signIn())).toBe(7200);
    await report('start', 1, { ago: 3600 });
    await report('stop', 1, { seconds: 3600 });
    expect(secondsOf(await signIn(2))).toBe(3600);
    await report('interim', 2, { seconds: 1800 });
    await report('interim', 3, { seconds: 1700 });
    expect(await commands()).toEqual([]);
    await report('interim', 3, { seconds: 1800 });
    expect(await commands()).toEqual([
      { session: 's2', kind: 'end', reason: 'limit' },
      { session: 's3', kind: 'end', reason: 'limit' },
    ]);
    expect(reasonOf(await signIn(4))).toBe('Your time for today is used up.');
  });

  test('in total is shared by all sessions', async () => {
    const profile = await scene.addProfile({}, { total_duration: limits.hours(1) });
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    for (let n = 1; n <= 4; n++) {
      expect(secondsOf(await signIn(n))).toBe(3600 - (n - 1) * 900);
      await report('start', n, { ago: 900 });
      await report('stop', n, { seconds: 900 });
    }
    expect(reasonOf(await signIn(5))).toBe('Your access has ended.');
  });

  test('used yesterday does not count today', async () => {
    const profile = await scene.addProfile({}, { daily_duration: limits.hours(1), total_duration: limits.hours(5) });
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    await report('start', 1, { ago: 3600 });
    await report('stop', 1, { seconds: 3600 });
    await app.db.withSystem(tx =>
      tx.run(sql`update visitor_days set day = day - 1 where tenant_id = ${scene.tenantId}`),
    );
    expect(secondsOf(await signIn())).toBe(3600);
  });
});

test('used at another location does not count today', async () => {
  const daily = { daily_duration: limits.hours(1), daily_quota: limits.gb(1) };
  const profile = await scene.addProfile({ sharedUser: 3 }, daily);
  const id = await scene.addVisitor('ada', 'pw', { profile_id: profile });
  const there = await makeScene(app, scene.tenantId);
  await report('start', 1, { ago: 600 });
  await report('stop', 1, { seconds: 600, up: 1e8 });
  await report('start', 2, { ago: 300 });
  await report('interim', 2, { seconds: 300, up: 2e8 });
  expect([secondsOf(await signIn(3)), bytesOf(await signIn(3))]).toEqual([2700, 7e8]);
  for (const table of [sql`visitor_days`, sql`online_sessions`])
    await app.db.withSystem(tx =>
      tx.run(sql`update ${table} set location_id = ${there.locationId} where visitor_id = ${id}`),
    );
  expect([secondsOf(await signIn(3)), bytesOf(await signIn(3))]).toEqual([3600, 1e9]);
});

describe('a visitor with limits of its own', () => {
  test.each([
    ['its end', 600, 600],
    ['its duration', 7200, 3600],
  ])('is online until %s when that comes first', async (_, endsIn, expected) => {
    await scene.addVisitor('ada', 'pw', {
      special_profile: true,
      session_duration: limits.hours(1),
      session_end_at: new Date(Date.now() + endsIn * 1000),
    });
    expectLeft(await signIn(), expected);
  });

  test('uses as many devices as it may itself, not as its profile allows', async () => {
    const profile = await scene.addProfile({ sharedUser: 1 });
    await scene.addVisitor('ada', 'pw', { profile_id: profile, special_profile: true, shared_user: 2 });
    expect(await signIn(1)).toMatchObject({ outcome: 'accept' });
    expect(await signIn(2)).toMatchObject({ outcome: 'accept' });
    expect(reasonOf(await signIn(3))).toMatch(/Too many/);
  });

  test('has none of the limits of its profile', async () => {
    const profile = await scene.addProfile(
      {},
      {
        ...{ daily_duration: limits.hours(2), total_duration: limits.hours(5), daily_quota: limits.gb(3) },
        ...{ total_quota: limits.gb(2), session_quota: limits.gb(1), session_duration: limits.hours(1) },
      },
    );
    await scene.addVisitor('ada', 'pw', { profile_id: profile, special_profile: true });
    const decision = await signIn();
    expect([decision.outcome, secondsOf(decision), bytesOf(decision)]).toEqual(['accept', undefined, undefined]);
  });

  test('and the shorter of the limits per day and in total counts', async () => {
    const profile = await scene.addProfile({}, { daily_duration: limits.hours(2), total_duration: limits.hours(5) });
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    expect(secondsOf(await signIn())).toBe(7200);
    await scene.set('profiles', profile, {
      total_duration: limits.hours(1),
      daily_quota: limits.gb(3),
      total_quota: limits.gb(2),
    });
    expect(await signIn()).toMatchObject({ sessionTimeoutSeconds: 3600, totalBytes: 2e9 });
  });
});

describe('a volume', () => {
  test('that a running session used before local midnight does not count after it', async () => {
    await scene.addVisitor('ada', 'pw', {
      profile_id: await scene.addProfile({ sharedUser: 2 }, { daily_quota: limits.gb(5) }),
    });
    await report('start', 1, { ago: 120 });
    await report('interim', 1, { down: 4e9, seconds: 60, ago: 60 });
    expect(bytesOf(await signIn(2))).toBe(1e9);
    await app.db.withSystem(tx =>
      tx.run(sql`update online_sessions set day = day - 1 where tenant_id = ${scene.tenantId}`),
    );
    expect(bytesOf(await signIn(2))).toBe(5e9);
  });

  test('per day of the location is the sum of all devices, enforced at the interim update that exceeds it', async () => {
    await scene.set('locations', scene.locationId, {
      daily_bandwidth_enabled: true,
      daily_bandwidth: 1,
      daily_bandwidth_unit: 'gb',
    });
    await scene.addVisitor('ada', 'pw', { profile_id: await scene.addProfile({ sharedUser: 5 }) });
    for (const n of [1, 2, 3]) {
      expect(bytesOf(await signIn(n))).toBe(1e9);
      await report('start', n, { ago: 120 });
    }
    await report('interim', 1, { down: 4e8, seconds: 60 });
    await report('interim', 2, { up: 5e8, seconds: 60 });
    expect(await commands()).toEqual([]);
    await report('interim', 3, { down: 1e8, seconds: 60 });
    const ended = ['s1', 's2', 's3'].map(session => ({ session, kind: 'end', reason: 'limit' }));
    expect(await commands()).toEqual(ended);
    await report('interim', 3, { down: 2e8, seconds: 120 });
    expect(await commands()).toEqual(ended);
    expect(reasonOf(await signIn(4))).toBe('Your data allowance for today is used up.');
  });

  test('that is used up ends the session also when its router has refused an operator’s command', async () => {
    const router = await startCoaRouter();
    await scene.set('devices', scene.device.id, { coa_port: router.port });
    const profile_id = await scene.addProfile({}, { session_quota: limits.gb(1) });
    await scene.addVisitor('ada', 'pw', { profile_id });
    await report('start', 1, { ago: 60 });
    router.reply = answers.refused;
    const [session] = await scene.open();
    expect(await endSession(app, await scene.addOperator(), session!.id)).toMatchObject({ state: 'refused' });
    await report('interim', 1, { up: 1e9, seconds: 60 });
    expect(await commands()).toMatchObject([{ reason: 'operator' }, { kind: 'end', reason: 'limit' }]);
  });

  test('is summed correctly when interim updates arrive at the same time', async () => {
    await scene.addVisitor('ada', 'pw', {
      profile_id: await scene.addProfile({ sharedUser: 9 }, { total_quota: limits.gb(1) }),
    });
    for (const n of [1, 2, 3, 4]) await report('start', n, { ago: 60 });
    await Promise.all([1, 2, 3, 4].map(n => report('interim', n, { down: 2.5e8, seconds: 60 })));
    expect((await commands()).map(it => it.session)).toEqual(['s1', 's2', 's3', 's4']);
    expect(reasonOf(await signIn(5))).toBe('Your access has ended.');
  });

  test('in total is what earlier and running sessions leave of it', async () => {
    const profile_id = await scene.addProfile({ sharedUser: 9 }, { total_quota: limits.gb(1) });
    await scene.addVisitor('ada', 'pw', { profile_id });
    await report('start', 1, { ago: 120 });
    await report('stop', 1, { up: 1e8, down: 2e8, seconds: 60, ago: 60 });
    expect(bytesOf(await signIn(2))).toBe(7e8);
    await report('start', 2, { ago: 60 });
    await report('interim', 2, { down: 7e8 - 1, seconds: 30, ago: 30 });
    expect([bytesOf(await signIn(3)), await commands()]).toEqual([1, []]);
    await report('interim', 2, { down: 7e8, seconds: 60 });
    expect(reasonOf(await signIn(3))).toBe('Your access has ended.');
  });

  test('of one session ends that session only', async () => {
    await scene.addVisitor('ada', 'pw', {
      profile_id: await scene.addProfile({ sharedUser: 9 }, { session_quota: limits.gb(1) }),
    });
    expect(bytesOf(await signIn())).toBe(1e9);
    await report('start', 1, { ago: 60 });
    await report('start', 2, { ago: 60 });
    await report('interim', 2, { up: 9e8, seconds: 60 });
    await report('interim', 1, { up: 6e8, down: 6e8, seconds: 60 });
    expect(await commands()).toEqual([{ session: 's1', kind: 'end', reason: 'limit' }]);
  });

  test.for(['outside the networks', 'in a network without a profile'])(
    'of the location’s profile counts %s',
    async at => {
      const ofLocation = await scene.addProfile({ sharedUser: 9 }, { total_quota: limits.gb(1) });
      await scene.set('locations', scene.locationId, { default_profile_id: ofLocation });
      const free = await scene.addProfile({ sharedUser: 9 });
      const plain = at === 'outside the networks' ? '10.7.0.0' : '10.5.50.0';
      await scene.inTenant(tx =>
        tx.run(sql`
        insert into networks (id, device_id, name, start_ip, subnet, profile_id) values
        (${newId()}, ${scene.device.id}, 'Lobby', '10.6.0.0', 24, ${free}),
        (${newId()}, ${scene.device.id}, 'Pool', ${plain}, 24, null)`),
      );
      await scene.addVisitor('ada', 'pw');
      expect(bytesOf(await signIn())).toBe(1e9);
      await report('start', 1, { ago: 60 });
      await report('interim', 1, { down: 1e9, seconds: 60 });
      expect(await commands()).toEqual([{ session: 's1', kind: 'end', reason: 'limit' }]);
      await scene.send('start', { session: 'other', mac: mac(2), user: 'ada', ip: '10.6.0.9', ago: 60 });
      await scene.send('interim', {
        session: 'other',
        mac: mac(2),
        user: 'ada',
        ip: '10.6.0.9',
        down: 1e9,
        seconds: 60,
      });
      expect(await commands(), 'another network has a profile without a limit').toHaveLength(1);
    },
  );

  test('reduces the speed instead, if the profile is set so, until new volume is available', async () => {
    const slow = { is_active: true, option: 'kbps', value: 256 };
    const profile = await scene.addProfile(
      { sharedUser: 9, download: limits.mbps(20) },
      { daily_quota: limits.gb(1), reduced_speed: slow },
    );
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    expect(await signIn()).toMatchObject({ outcome: 'accept', downloadBps: 20e6, totalBytes: undefined });
    await report('start', 1, { ago: 300 });
    await report('interim', 1, { down: 1e9, seconds: 60, ago: 240 });
    await report('interim', 1, { down: 1.1e9, seconds: 120, ago: 180 });
    expect(await commands()).toEqual([{ session: 's1', kind: 'change', reason: 'limit' }]);
    const limitsNow = async () => {
      const [open] = await scene.open();
      return scene.inTenant(tx => limitsOf(tx, open!.id));
    };
    expect(await limitsNow()).toMatchObject({ upload_bps: 256_000, download_bps: 256_000 });
    expect(await signIn(2)).toMatchObject({ outcome: 'accept', downloadBps: 256_000, uploadBps: 256_000 });
    await scene.set('profiles', profile, { daily_quota: limits.gb(5) });
    await report('interim', 1, { down: 1.2e9, seconds: 180, ago: 120 });
    expect(await commands()).toHaveLength(2);
    expect(await limitsNow()).toMatchObject({ upload_bps: null, download_bps: 20e6, bytes: null, interim: 60 });
    await scene.set('profiles', profile, { reduced_speed: { is_active: false, option: 'kbps', value: 256 } });
    // The session may use what is left of the day, besides what it has used.
    expect(await limitsNow()).toMatchObject({ bytes: 5e9 });
  });

  test('of the location also reduces the speed, even if the profile has no data limit', async () => {
    const profile = await scene.addProfile(
      { sharedUser: 9 },
      { reduced_speed: { is_active: true, option: 'mbps', value: 1 } },
    );
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    await scene.set('locations', scene.locationId, {
      ...{ daily_bandwidth: 1, daily_bandwidth_unit: 'gb', daily_bandwidth_enabled: true },
    });
    await signIn();
    await report('start', 1, { ago: 60 });
    await report('interim', 1, { down: 1e9, seconds: 60 });
    expect(await commands()).toEqual([{ session: 's1', kind: 'change', reason: 'limit' }]);
    expect(await signIn(2)).toMatchObject({ outcome: 'accept', downloadBps: 1e6 });
  });

  test('of a special profile replaces that of the location', async () => {
    const profile = await scene.addProfile({}, { total_quota: limits.gb(1), daily_quota: limits.gb(1) });
    await scene.addVisitor('ada', 'pw', { profile_id: profile, special_profile: true });
    expect(bytesOf(await signIn())).toBeUndefined();
  });
});

describe('a change of limits', () => {
  test('gets a command of its own while an earlier one is being sent', async () => {
    const profile = await scene.addProfile({ sharedUser: 9 });
    await scene.addVisitor('ada', 'pw', { profile_id: profile });
    await signIn();
    await report('start', 1, { ago: 60 });
    const userId = newId();
    const user = {
      email: 'op@example.com',
      firstName: 'Op',
      lastName: 'Op',
      phone: '',
      passwordHash: '',
      language: 'en',
    } as const;
    await scene.inTenant(tx => insertUser(tx, { id: userId, role: 'tenant-admin', ...user }));
    const queue = () => scene.inTenant(tx => commandForProfile(tx, { profileId: profile, userId }));
    expect(await queue()).toBe(1);
    const { queued } = await app.db.withSystem(async tx => {
      await claimCommands(tx, 1000);
      const change = queue();
      const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await Promise.race([change, expect.poll(async () => (await app.db.pool.query(waits)).rowCount).toBe(1)]);
      return { queued: change };
    });
    expect(await queued).toBe(1);
    expect(await queue(), 'the second command waits, and will carry these limits').toBe(0);
  });

  const command = async (kind: 'change' | 'end', sentSecondsAgo: number | null) => {
    await report('start', 1, { ago: 120 });
    await scene.set('devices', scene.device.id, { last_address: null });
    await scene.inTenant(tx =>
      tx.run(sql`insert into session_commands (session_id, location_id, device_id, kind, reason, sent_at)
        select id, location_id, device_id, ${kind}, 'operator', now() - make_interval(secs => ${sentSecondsAgo}) from online_sessions`),
    );
    await sendWaitingCommands(app);
    return scene.inTenant(tx => tx.many(sql`select kind, state from session_commands order by requested_at`));
  };

  test('that the router does not answer ends no session', async () => {
    expect(await command('change', null)).toEqual([{ kind: 'change', state: 'no-answer' }]);
  });

  test.each([
    ['is sent again', 40, 'no-answer'],
    ['is not sent twice while its sender may still wait for the router', 30, 'requested'],
  ])('or an end whose sender died %s', async (_, seconds, state) => {
    expect(await command('end', seconds)).toEqual([{ kind: 'end', state }]);
  });
});
