import { setImmediate } from 'node:timers/promises';
import { type SignInRefusal, signInRefusals } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sealHash } from '#lib/guest-password.ts';
import { newId } from '#lib/ids.ts';
import { perl } from '#lib/system-crypt.ts';
import { startApp } from '#test/harness.ts';
import { issueTicket } from './public.ts';
import { sessionHandlers } from './sessions.radius.ts';
import * as queries from './sign-in.queries.ts';
import { limits, makeScene, type Scene } from './testing/scene.ts';

const app = await startApp();
let scene: Scene;
beforeEach(async () => {
  scene = await makeScene(app);
});
const ada = { user: 'ada', password: 'pw' };
const refused = (reason: SignInRefusal) => ({ outcome: 'reject', replyMessage: signInRefusals[reason].en });
const failures = () =>
  scene.inTenant(tx =>
    tx.many<{ reason: string; params: string | null; provider_slug: string }>(
      sql`select * from failed_logins order by id`,
    ),
  );

describe('with user name and password', () => {
  test('a correct password is accepted, with a class that identifies the visitor of the session', async () => {
    const visitor = await scene.addVisitor('ada', 'pw');
    const decision = await scene.signIn(ada);
    expect(decision).toMatchObject({
      outcome: 'accept',
      interimIntervalSeconds: 60,
      class: expect.stringMatching(/^[0-9a-f]{36}$/),
    });
    await scene.send('start', { user: 'another name', class: (decision as { class: string }).class });
    expect(await scene.open()).toMatchObject([{ visitor_id: visitor }]);
    expect(await scene.inTenant(tx => tx.many(sql`select 1 from admissions`))).toEqual([]);
  });

  test('a wrong password is refused and stored as dots', async () => {
    await scene.addVisitor('ada', 'pw');
    expect(await scene.signIn({ ...ada, password: 'wrong' })).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn({ ...ada, user: 'eve' })).toEqual(refused('wrong_credentials'));
    const [row] = await failures();
    expect(row).toMatchObject({ reason: 'wrong_credentials', provider_slug: 'username' });
    expect(JSON.parse(app.secrets.decrypt(row!.params!))).toEqual({ username: 'ada', password: '••••••••' });
  });

  test('MACs as user names are not listed as failed sign-ins', async () => {
    expect(await scene.signIn({ user: 'a0:00:00:00:00:01', password: '' })).toEqual(refused('wrong_credentials'));
    expect(await failures()).toEqual([]);
  });

  test('a visitor of another location is unknown', async () => {
    const other = newId();
    await scene.inTenant(tx =>
      tx.run(sql`insert into locations (id, name, trial_end_at) values (${other}, 'Other', now() + interval '1 day')`),
    );
    await scene.addVisitor('ada', 'pw');
    expect(await scene.signIn(ada, await scene.addDevice(other))).toEqual(refused('wrong_credentials'));
  });

  test.each([
    ['blocked', { blocked: true }],
    ['not_yet', { session_start_at: new Date(Date.now() + 3_600_000) }],
    ['expired', { session_end_at: new Date(Date.now() - 1000) }],
  ] as const)('%s is told only to who knows the password', async (reason, values) => {
    await scene.addVisitor('ada', 'pw', values);
    expect(await scene.signIn(ada)).toEqual(refused(reason));
    expect(await scene.signIn({ ...ada, password: 'wrong' })).toEqual(refused('wrong_credentials'));
  });
});

describe('all guests are refused', () => {
  beforeEach(() => scene.addVisitor('ada', 'pw'));

  test('when the licences of both device and location have expired', async () => {
    const over = { trial_end_at: '2020-01-01', license_end_at: '2020-02-02' };
    await scene.set('devices', scene.device.id, over);
    expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept' });
    await scene.set('locations', scene.locationId, over);
    expect(await scene.signIn(ada)).toEqual(refused('license_over'));
    await scene.set('locations', scene.locationId, { license_end_at: '2999-01-01' });
    expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept' });
  });

  test('when a licence has expired, even during the trial that it replaced', async () => {
    const ended = { trial_end_at: '2999-01-01', license_end_at: '2020-02-02' };
    await scene.set('devices', scene.device.id, ended);
    expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept' });
    await scene.set('locations', scene.locationId, ended);
    expect(await scene.signIn(ada)).toEqual(refused('license_over'));
    await scene.set('locations', scene.locationId, { license_end_at: null });
    expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept' });
  });

  test('when a licence has expired, but not during the last second of its last day', async () => {
    // In one transaction, where the clock stands still.
    const isOver = (ago: string) =>
      scene.inTenant(async tx => {
        for (const table of ['devices', 'locations'])
          await tx.run(sql`update ${sql([table])} set license_end_at = now() - ${ago}::interval`);
        return (
          await tx.one<{ over: boolean }>(sql`
          select out_of_service(d, l) as over from devices d join locations l on l.id = d.location_id`)
        ).over;
      });
    expect(await isOver('0 seconds')).toBe(false);
    expect(await isOver('999 milliseconds')).toBe(false);
    expect(await isOver('1 second')).toBe(true);
  });

  test('when the hotspot is off', async () => {
    await scene.set('devices', scene.device.id, { hotspot_status: false });
    expect(await scene.signIn(ada)).toEqual(refused('hotspot_off'));
  });

  test('when the device is deleted', async () => {
    await scene.inTenant(tx => tx.run(sql`delete from devices`));
    expect(await scene.signIn(ada)).toEqual(refused('unknown_device'));
  });
});

describe('lists of MACs', () => {
  const mac = 'A0:00:00:00:00:01';
  const rule = (type: 'blocked' | 'bypassed', networks: string[] = []) =>
    scene.inTenant(tx =>
      tx.run(
        sql`insert into mac_rules (id, device_id, mac, type, networks) values (${newId()}, ${scene.device.id}, ${mac}, ${type}, ${networks}::uuid[])`,
      ),
    );
  const withoutAccount = { user: mac, password: '' };

  test('a bypassed MAC needs no sign-in and has no visitor', async () => {
    await rule('bypassed');
    expect(await scene.signIn(withoutAccount)).toMatchObject({ outcome: 'accept', uploadBps: undefined });
    await scene.send('start', {});
    expect(await scene.open()).toMatchObject([{ visitor_id: null }]);
  });

  test('a blocked MAC is refused even with a bypass or a valid password', async () => {
    await scene.addVisitor('ada', 'pw');
    await rule('bypassed');
    await scene.set('locations', scene.locationId, { mac_whitelist: [mac], mac_whitelist_enabled: true });
    await rule('blocked');
    expect(await scene.signIn(withoutAccount)).toEqual(refused('blocked'));
    expect(await scene.signIn(ada)).toEqual(refused('blocked'));
    expect(await scene.signIn({ ...ada, mac: 'A0:00:00:00:00:02' })).toMatchObject({ outcome: 'accept' });
  });

  test('the lists of the location apply when they are on', async () => {
    await scene.set('locations', scene.locationId, { mac_whitelist: [mac], mac_blacklist: [mac] });
    expect(await scene.signIn(withoutAccount)).toEqual(refused('wrong_credentials'));
    await scene.set('locations', scene.locationId, { mac_whitelist_enabled: true });
    expect(await scene.signIn(withoutAccount)).toMatchObject({ outcome: 'accept' });
    await scene.set('locations', scene.locationId, { mac_blacklist_enabled: true });
    expect(await scene.signIn(withoutAccount)).toEqual(refused('blocked'));
  });

  test('rules may apply to some networks only', async () => {
    const [lobby, rooms] = [newId(), newId()];
    await scene.inTenant(tx =>
      tx.run(sql`insert into networks (id, device_id, name, start_ip, subnet) values
        (${lobby}, ${scene.device.id}, 'Lobby', '10.5.50.0', 24), (${rooms}, ${scene.device.id}, 'Rooms', '10.5.60.0', 24)`),
    );
    await rule('bypassed', [lobby]);
    expect(await scene.signIn({ ...withoutAccount, ip: '10.5.50.9' })).toMatchObject({ outcome: 'accept' });
    expect(await scene.signIn({ ...withoutAccount, ip: '10.5.60.9' })).toMatchObject({ outcome: 'reject' });
    await rule('blocked', [rooms]);
    expect(await scene.signIn({ ...withoutAccount, ip: '10.5.60.9' })).toEqual(refused('blocked'));
    expect(await scene.signIn({ ...withoutAccount, ip: '10.5.50.9' })).toMatchObject({ outcome: 'accept' });
  });

  test.each([
    ['no address', ''],
    ['an address outside all networks', '192.168.9.9'],
  ])('with %s a rule for some networks blocks but does not bypass', async (_, ip) => {
    const lobby = newId();
    await scene.inTenant(tx =>
      tx.run(
        sql`insert into networks (id, device_id, name, start_ip, subnet) values (${lobby}, ${scene.device.id}, 'Lobby', '10.5.50.0', 24)`,
      ),
    );
    await scene.addVisitor('ada', 'pw');
    await rule('bypassed', [lobby]);
    expect(await scene.signIn({ ...withoutAccount, ip })).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn({ ...ada, ip })).toMatchObject({ outcome: 'accept' });
    await rule('blocked', [lobby]);
    expect(await scene.signIn({ ...ada, ip })).toEqual(refused('blocked'));
  });
});

test('limits come from the location, its default profile, the network’s profile, the visitor’s profile or the visitor', async () => {
  const visitor = await scene.addVisitor('ada', 'pw');
  const held = async () => {
    const { sessionTimeoutSeconds, uploadBps, downloadBps } = (await scene.signIn(ada)) as Record<string, unknown>;
    return [sessionTimeoutSeconds, uploadBps, downloadBps];
  };
  const profile = (mbps: number) =>
    scene.addProfile({ sharedUser: 9, duration: limits.hours(mbps), upload: limits.mbps(mbps) });
  expect(await held()).toEqual([undefined, undefined, undefined]);
  await scene.set('locations', scene.locationId, {
    time_limit_enabled: true,
    time_limit: 10,
    time_limit_unit: 'hour',
    upload_limit_enabled: true,
    upload_limit: 2.55,
    download_limit_enabled: true,
    download_limit: 50,
  });
  expect(await held()).toEqual([36_000, 2_550_000, 50_000_000]);
  await scene.set('locations', scene.locationId, { default_profile_id: await profile(1) });
  expect(await held()).toEqual([3600, 1_000_000, undefined]);
  const forNetwork = await profile(2);
  await scene.inTenant(tx =>
    tx.run(
      sql`insert into networks (id, device_id, name, start_ip, subnet, profile_id) values (${newId()}, ${scene.device.id}, 'Lobby', '10.5.50.0', 24, ${forNetwork})`,
    ),
  );
  expect(await held()).toEqual([7200, 2_000_000, undefined]);
  await scene.set('visitors', visitor, { profile_id: await profile(3) });
  expect(await held()).toEqual([10_800, 3_000_000, undefined]);
  await scene.set('visitors', visitor, {
    special_profile: true,
    max_download: limits.mbps(4),
    session_end_at: new Date(Date.now() + 600_000),
  });
  const [seconds, ...speeds] = await held();
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(600);
  expect(speeds).toEqual([undefined, 4_000_000]);
});

test('a daily volume gives the remaining bytes, and no sign-in when it is used up', async () => {
  await scene.addVisitor('ada', 'pw');
  await scene.set('locations', scene.locationId, {
    daily_bandwidth_enabled: true,
    daily_bandwidth: 10,
    daily_bandwidth_unit: 'gb',
  });
  const { class: token } = (await scene.signIn(ada)) as { class: string };
  await scene.send('start', { class: token, ago: 60 });
  await scene.send('interim', { class: token, up: 1e9, down: 2e9, ago: 30 });
  expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept', totalBytes: 7e9 });
  await scene.send('stop', { class: token, up: 1e9, down: 5e9 });
  expect(await scene.signIn(ada)).toMatchObject({ outcome: 'accept', totalBytes: 4e9 });
  await scene.send('start', { session: 's2', ago: 1 });
  await scene.send('interim', { session: 's2', down: 4e9 });
  expect(await scene.signIn(ada)).toEqual(refused('over_quota'));
});

describe('devices at once', () => {
  const on = (n: number) => ({ ...ada, mac: `A0:00:00:00:00:0${n}` });
  beforeEach(async () => {
    await scene.addVisitor('ada', 'pw', { profile_id: await scene.addProfile({ sharedUser: 1 }) });
  });

  test('exactly one of two simultaneous sign-ins is accepted, in one batch and in two', async () => {
    const together = await scene.decide([scene.request(on(1)), scene.request(on(2))]);
    expect(together.map(it => it.outcome).sort()).toEqual(['accept', 'reject']);
    for (let round = 0; round < 15; round++) {
      const next = await makeScene(app);
      await next.addVisitor('ada', 'pw', { profile_id: await next.addProfile({ sharedUser: 2 }) });
      const outcomes = await Promise.all([1, 2, 3, 4, 5].map(n => next.signIn(on(n))));
      expect(outcomes.filter(it => it.outcome === 'accept')).toHaveLength(2);
      expect(outcomes).toContainEqual(refused('over_limit'));
    }
  });

  test('the same device counts once; another is accepted after it has left', async () => {
    const first = (await scene.signIn(on(1))) as { class: string };
    const again = (await scene.signIn(on(1))) as { class: string };
    expect(again.class).not.toBe(first.class);
    await scene.send('start', { class: again.class });
    expect(await scene.signIn(on(1))).toMatchObject({ outcome: 'accept' });
    expect(await scene.signIn(on(2))).toEqual(refused('over_limit'));
    await scene.send('start', { session: 's2' });
    await scene.send('stop', { session: 's2' });
    expect(await scene.signIn(on(2))).toMatchObject({ outcome: 'accept' });
  });

  test('an accepted device without a session counts for two minutes', async () => {
    await scene.signIn(on(1));
    expect(await scene.signIn(on(2))).toEqual(refused('over_limit'));
    await app.db.withSystem(tx =>
      tx.run(sql`update admissions set expires_at = now() - interval '1 second' where tenant_id = ${scene.tenantId}`),
    );
    expect(await scene.signIn(on(2))).toMatchObject({ outcome: 'accept' });
  });
});

describe('with a password that was right before', () => {
  const visitorOf = async (decision: unknown) => {
    const { class: token } = decision as { class: string };
    return (await scene.inTenant(tx => tx.many(sql`select visitor_id from admissions where class = ${token}`)))[0]?.[
      'visitor_id'
    ];
  };

  test('a guest is decided and admitted in one trip', async () => {
    let trips = 0;
    const systemTrip: typeof app.db.systemTrip = work => (trips++, app.db.systemTrip(work));
    const { authorize } = sessionHandlers({ ...app, db: { ...app.db, systemTrip } });
    const visitor = await scene.addVisitor('ada', 'pw');
    const tripsOf = async (guest: typeof ada) => {
      trips = 0;
      const [decision] = await authorize([scene.request(guest)]);
      return [(await decision!).outcome, trips];
    };
    expect(await tripsOf(ada)).toEqual(['accept', 2]);
    expect(await tripsOf(ada)).toEqual(['accept', 1]);
    const [again] = await authorize([scene.request(ada)]);
    expect(await visitorOf(again)).toBe(visitor);
    // A wrong password is compared, and its failure written.
    expect(await tripsOf({ ...ada, password: 'wrong' })).toEqual(['reject', 2]);
    expect(await tripsOf(ada)).toEqual(['accept', 1]);
    // The stored text is another visitor's now, and the batch holds the lock of the former one only.
    const [row] = await scene.inTenant(tx =>
      tx.many<{ password: string }>(sql`delete from visitors where id = ${visitor} returning password`),
    );
    await scene.set('visitors', await scene.addVisitor('ada', 'pw'), { password: row!.password });
    expect(await tripsOf(ada)).toEqual(['accept', 2]);
  });

  test('the password that the visitor has now counts, and so does the visitor', async () => {
    const first = await scene.addVisitor('ada', 'pw');
    await scene.signIn(ada);
    await scene.set('visitors', first, { password: app.secrets.encrypt('new') });
    expect(await scene.signIn(ada)).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn({ ...ada, password: 'new' })).toMatchObject({ outcome: 'accept' });
    await scene.inTenant(tx => tx.run(sql`delete from visitors where id = ${first}`));
    expect(await scene.signIn({ ...ada, password: 'new' })).toEqual(refused('wrong_credentials'));
    const second = await scene.addVisitor('ada', 'new');
    expect(await visitorOf(await scene.signIn({ ...ada, password: 'new' }))).toBe(second);
  });

  test('no table is read in full, however small it is', async () => {
    const visitor = await scene.addVisitor('ada', 'pw');
    const ticket = await scene.inTenant(tx =>
      issueTicket(tx, {
        ...{ locationId: scene.locationId, deviceId: scene.device.id, visitorId: visitor, mac: null },
        ...{ providerSlug: 'username', redirect: '' },
      }),
    );
    const asked = (user_name: string, same: boolean) => ({
      ...{ tenant: scene.tenantId, device: scene.device.id, user_name, key: user_name, same },
      ...{ mac: 'A0:00:00:00:00:01', ip: '10.5.50.2' },
    });
    const scans = sql`select relname, seq_scan from pg_stat_xact_user_tables where schemaname = 'public' order by 1`;
    const [before, after] = await app.db.withSystem(async tx => {
      const first = await tx.many(scans);
      await queries.signIn(tx, [asked('ada', false), asked(ticket, true)]);
      return [first, await tx.many(scans)];
    });
    expect(after).toEqual(before);
  });

  test('the reason of a refusal is told and recorded', async () => {
    const visitor = await scene.addVisitor('ada', 'pw');
    await scene.signIn(ada);
    await scene.set('visitors', visitor, { blocked: true });
    expect(await scene.signIn(ada)).toEqual(refused('blocked'));
    expect(await failures(), 'as the panel mends it').toMatchObject([{ reason: 'paused', provider_slug: 'username' }]);
    expect(await scene.inTenant(tx => tx.many(sql`select from admissions`))).toHaveLength(1);
  });

  test('no more devices are accepted than the profile allows, in one batch and in several', async () => {
    await scene.addVisitor('ada', 'pw', { profile_id: await scene.addProfile({ sharedUser: 3 }) });
    await scene.signIn(ada);
    const requests = [1, 2, 3, 4].map(n => scene.request({ ...ada, mac: `A0:00:00:00:00:0${n}` }));
    const [together, ...single] = await Promise.all([
      scene.decide(requests.slice(0, 2)),
      ...requests.slice(2).map(it => scene.decide([it])),
    ]);
    const outcomes = [...together, ...single.flat()];
    expect(outcomes.filter(it => it.outcome === 'accept')).toHaveLength(3);
    expect(outcomes).toContainEqual(refused('over_limit'));
  });
});

describe('with a ticket', () => {
  const mac = 'A0:00:00:00:00:01';
  const ticket = async (set: { mac?: string | null; seconds?: number } = {}) => {
    const visitorId = await scene.addVisitor(`v${newId()}`, 'pw', {
      profile_id: await scene.addProfile({ sharedUser: 1 }),
    });
    const text = await scene.inTenant(tx =>
      issueTicket(tx, {
        locationId: scene.locationId,
        deviceId: scene.device.id,
        visitorId,
        mac: set.mac === undefined ? mac : set.mac,
        providerSlug: 'sms',
        redirect: '',
      }),
    );
    if (set.seconds !== undefined)
      await scene.inTenant(tx =>
        tx.run(sql`update tickets set expires_at = now() + make_interval(secs => ${set.seconds})`),
      );
    return { visitorId, guest: { user: text, password: text } };
  };

  test('is accepted once; a retransmission gets the same answer', async () => {
    const { guest, visitorId } = await ticket();
    const first = await scene.signIn({ ...guest, key: 'one' });
    expect(first).toMatchObject({ outcome: 'accept' });
    expect(await scene.signIn({ ...guest, key: 'one' })).toEqual(first);
    expect(await scene.signIn({ ...guest, key: 'two' })).toEqual(refused('wrong_credentials'));
    await scene.send('start', { user: guest.user, class: (first as { class: string }).class });
    expect(await scene.open()).toMatchObject([{ visitor_id: visitorId }]);
    expect(await failures()).toMatchObject([{ provider_slug: 'sms', params: null }]);
  });

  test('is accepted once even if two requests come in one batch or at the same time', async () => {
    const one = await ticket();
    const batch = await scene.decide([scene.request(one.guest), scene.request(one.guest)]);
    expect(batch.map(it => it.outcome).sort()).toEqual(['accept', 'reject']);
    const other = await ticket({ mac: null });
    const both = await Promise.all([
      scene.signIn(other.guest),
      scene.signIn({ ...other.guest, mac: 'A0:00:00:00:00:09' }),
    ]);
    expect(both.map(it => it.outcome).sort()).toEqual(['accept', 'reject']);
  });

  test('is refused from another guest device, router or tenant, too late, or without password', async () => {
    const { guest } = await ticket();
    const elsewhere = await makeScene(app);
    expect(await scene.signIn({ ...guest, mac: 'A0:00:00:00:00:09' })).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn(guest, await scene.addDevice())).toEqual(refused('wrong_credentials'));
    expect(await elsewhere.signIn(guest)).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn({ ...guest, password: 'other' })).toEqual(refused('wrong_credentials'));
    expect(await scene.signIn(guest)).toMatchObject({ outcome: 'accept' });
    const late = await ticket({ seconds: -1 });
    expect(await scene.signIn(late.guest)).toEqual(refused('wrong_credentials'));
  });

  test('stays valid after a refusal for too many devices', async () => {
    const { guest, visitorId } = await ticket({ mac: null });
    const second = await scene.inTenant(tx =>
      issueTicket(tx, {
        locationId: scene.locationId,
        deviceId: scene.device.id,
        visitorId,
        mac: null,
        providerSlug: 'sms',
        redirect: '',
      }),
    );
    expect(await scene.signIn(guest)).toMatchObject({ outcome: 'accept' });
    const later = { user: second, password: second, mac: 'A0:00:00:00:00:02' };
    expect(await scene.signIn(later)).toEqual(refused('over_limit'));
    await scene.send('start', {});
    await scene.send('stop', {});
    expect(await scene.signIn(later)).toMatchObject({ outcome: 'accept' });
  });
});

test('a batch of many tenants is answered in order; an invalid request fails alone', async () => {
  const other = await makeScene(app);
  await scene.addVisitor('ada', 'pw');
  await other.addVisitor('eve', 'pw2');
  const requests = [
    other.request({ user: 'eve', password: 'pw2', mac: 'A0:00:00:00:00:05' }),
    scene.request({ user: 'unknown', password: 'x' }),
    scene.request(ada),
    scene.request({ user: 'bad\0name', password: 'x' }),
    other.request({ user: 'eve', password: 'bad' }),
  ];
  const decisions = await scene.decide(requests);
  expect(decisions.map(it => it.outcome)).toEqual(['accept', 'reject', 'accept', 'ignore', 'reject']);
  await scene.handlers.account([
    scene.record('start', { session: 'bad\0session' }),
    scene.record('start', { session: 'good', mac: 'A0:00:00:00:00:07' }),
  ]);
  expect(await scene.open()).toMatchObject([{ acct_session_id: 'good' }]);
});

test('a long check that fails at once fails alone, beside a request with EAP', async () => {
  const yescrypt = '{crypt}$y$j75$F5Jx5fExrKuPp53xLKQ..1$xUUMszL26YToAaeGq5A29H4BeYmjd7xl16hnmwlU8H/';
  const visitor = await scene.addVisitor('hashed', '');
  await scene.set('visitors', visitor, { password: sealHash(app.secrets, yescrypt) });
  await scene.addVisitor('ada', 'pw');
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const begins = vi.spyOn(perl, 'path', 'get').mockReturnValue('/nowhere/perl');
  const fails = vi.spyOn(app.log, 'warn');
  // A trip after the check has begun takes until the check has failed.
  const systemTrip: typeof app.db.systemTrip = async work => {
    await setImmediate();
    if (begins.mock.calls.length > 0) await expect.poll(() => fails.mock.calls.length).toBe(1);
    return app.db.systemTrip(work);
  };
  try {
    const { authorize } = sessionHandlers({ ...app, db: { ...app.db, systemTrip } });
    const hashed = scene.request({ user: 'hashed', password: 'pw' });
    const eap = { ...scene.request({ user: 'eap' }), method: 'unsupported' } as const;
    const [long, ...others] = await authorize([hashed, eap, scene.request(ada)]);
    await expect(long).rejects.toMatchObject({ code: 'away' });
    expect(others).toMatchObject([refused('unsupported_method'), { outcome: 'accept' }]);
    expect(await failures()).toMatchObject([{ reason: 'unsupported_method' }]);
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
    vi.restoreAllMocks();
  }
});

test('a failed sign-in that cannot be recorded does not admit the others of its batch again', async () => {
  let trips = 0;
  const systemTrip: typeof app.db.systemTrip = work => (trips++, app.db.systemTrip(work));
  const { authorize } = sessionHandlers({ ...app, db: { ...app.db, systemTrip } });
  await scene.addVisitor('ada', 'pw');
  const eap = { ...scene.request({ user: 'eap', mac: '\0' }), method: 'unsupported' } as const;
  expect(await authorize([scene.request(ada), eap])).toMatchObject([
    { outcome: 'accept' },
    refused('unsupported_method'),
  ]);
  // The failure, which is left out, the decision and the admission.
  expect(trips).toBe(3);
});

test('a batch locks its admissions in the order of accounting, whether a ticket or a password admits', async () => {
  const [first, last] = ['A0:00:00:00:00:01', 'A0:00:00:00:00:02'];
  await scene.addVisitor('ada', 'pw');
  const visitorId = await scene.addVisitor('eve', 'pw');
  const ticket = await scene.inTenant(tx =>
    issueTicket(tx, {
      ...{ locationId: scene.locationId, deviceId: scene.device.id, visitorId, mac: last },
      ...{ providerSlug: 'username', redirect: '' },
    }),
  );
  const byPassword = { user: 'ada', password: 'pw', mac: first };
  // Both guest devices have an admission, and the password is known from now on.
  await scene.signIn(byPassword);
  await scene.signIn({ user: 'eve', password: 'pw', mac: last });
  const admission = (mac: string) =>
    sql`select from admissions where tenant_id = ${scene.tenantId} and client_mac = ${mac} for update nowait`;
  const batch = await app.db.withSystem(async tx => {
    await tx.many(admission(first));
    const deciding = scene.handlers.authorize([
      scene.request(byPassword),
      scene.request({ user: ticket, password: ticket, mac: last }),
    ]);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await app.db.pool.query(waits)).rowCount).toBe(1);
    // The lock that account() takes. It would deadlock if the batch held this one already.
    await tx.many(admission(last));
    return { deciding };
  });
  expect(await batch.deciding).toMatchObject([{ outcome: 'accept' }, { outcome: 'accept' }]);
});
