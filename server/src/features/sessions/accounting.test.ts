import sql from 'sql-template-tag';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import type { AccountingRecord } from '#radius/types.ts';
import { startApp } from '#test/harness.ts';
import { closeStale } from './sign-in.queries.ts';
import { expectAgo, noteBegin } from './testing/ago.ts';
import { makeScene, type Scene } from './testing/scene.ts';

const app = await startApp();
let scene: Scene;
beforeEach(async () => {
  scene = await makeScene(app);
});
noteBegin();

describe('one session', () => {
  test('start, interim and stop, with bytes beyond 4 GB', async () => {
    const visitor = await scene.addVisitor('ada', 'pw');
    await scene.send('start', { ago: 120 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's1', visitor_id: visitor, upload: 0 }]);
    await scene.send('interim', { ago: 60, seconds: 60, up: 5e9, down: 7e12 });
    expect(await scene.open()).toMatchObject([{ upload: 5e9, download: 7e12 }]);
    await scene.send('stop', { seconds: 120, up: 6e9, down: 8e12 });
    expect(await scene.open()).toEqual([]);
    const [past] = await scene.closed();
    expect(past).toMatchObject({
      upload: 6e9,
      download: 8e12,
      seconds: 120,
      close_reason: 'stop',
      terminate_cause: 'User-Request',
    });
    expectAgo(past!.started_at, 120);
    expectAgo(past!.ended_at, 0);
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 6e9, download: 8e12, seconds: 120 }]);
  });

  test('counters never decrease, and a late start changes nothing', async () => {
    await scene.send('start', { ago: 100 });
    await scene.send('interim', { ago: 10, up: 500, down: 900, seconds: 90 });
    await scene.send('interim', { ago: 40, up: 100, down: 200, seconds: 60 });
    await scene.send('start', { ago: 5 });
    const [now] = await scene.open();
    expect(now).toMatchObject({ upload: 500, download: 900 });
    expectAgo(now!.started_at, 100);
    expectAgo(now!.updated_at, 5);
  });

  test('a repeated packet changes nothing', async () => {
    const stop = scene.record('stop', { up: 10, down: 20, seconds: 60 });
    await scene.send('start', { ago: 60 });
    await scene.handlers.account([stop, stop]);
    await scene.handlers.account([stop]);
    expect(await scene.closed()).toHaveLength(1);
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 10, download: 20 }]);
  });

  test('late packets never reopen a session that the router stopped', async () => {
    await scene.send('start', { ago: 60 });
    await scene.send('stop', { ago: 1, up: 10, seconds: 59 });
    await scene.send('interim', { ago: 30, up: 5, seconds: 30 });
    await scene.send('interim', { up: 12, seconds: 60 });
    await scene.send('start', {});
    expect(await scene.open()).toEqual([]);
    expect(await scene.closed()).toMatchObject([{ upload: 12, close_reason: 'stop' }]);
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 12 }]);
  });

  test('an interim update of an unknown session opens it with the reported start', async () => {
    await scene.send('interim', { seconds: 600, up: 1000 });
    const [now] = await scene.open();
    expect(now).toMatchObject({ upload: 1000 });
    expectAgo(now!.started_at, 600);
  });

  test('a stop of an unknown session creates a closed one, which a later start does not reopen', async () => {
    await scene.send('stop', { seconds: 300, down: 9 });
    await scene.send('start', { ago: 300 });
    expect(await scene.open()).toEqual([]);
    const [past] = await scene.closed();
    expectAgo(past!.started_at, 300);
    expect(await scene.days()).toMatchObject([{ sessions: 1, download: 9, seconds: 300 }]);
  });

  test('a batch may contain all packets of a session', async () => {
    await scene.handlers.account([
      scene.record('start', { ago: 60 }),
      scene.record('interim', { ago: 30, up: 1, seconds: 30 }),
      scene.record('stop', { up: 2, seconds: 60 }),
      scene.record('start', { session: 's2' }),
    ]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', upload: 2, close_reason: 'stop' }]);
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
  });
});

describe('one guest device has one open session', () => {
  test('a new start closes the older session at its last update', async () => {
    await scene.send('start', { ago: 300 });
    await scene.send('interim', { ago: 200, up: 7, seconds: 100 });
    await scene.send('start', { session: 's2' });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'replaced', upload: 7 });
    expectAgo(past!.ended_at, 200);
  });

  test('a later report of the older session updates its counters but does not reopen it', async () => {
    await scene.send('start', { ago: 300 });
    await scene.send('start', { session: 's2', ago: 100 });
    await scene.send('interim', { seconds: 200, up: 70 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', upload: 70, close_reason: 'replaced' }]);
  });

  test('a delayed start does not replace a newer session', async () => {
    await scene.send('start', { session: 's2', ago: 10 });
    await scene.send('start', { session: 's1', ago: 60 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', close_reason: 'replaced' }]);
  });

  test('without a MAC, sessions do not replace one another', async () => {
    await scene.send('start', {});
    await scene.send('start', { session: 's3', mac: undefined });
    await scene.send('start', { session: 's4', mac: undefined });
    expect(await scene.open()).toHaveLength(3);
  });

  test('reports that forget the class belong to the session of the same id, user and guest device', async () => {
    await scene.send('start', { class: 'one', ago: 120 });
    await scene.send('interim', { ago: 60, seconds: 60, up: 5 });
    expect(await scene.open()).toMatchObject([{ class: 'one', upload: 5 }]);
    await scene.send('stop', { seconds: 120, up: 9 });
    expect(await scene.open()).toEqual([]);
    expect(await scene.closed()).toMatchObject([{ class: 'one', upload: 9, close_reason: 'stop' }]);
    await scene.send('stop', { seconds: 120, up: 9 });
    expect(await scene.closed(), 'repeated').toHaveLength(1);
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 9, seconds: 120 }]);
  });

  test.each([
    ['user', { user: 'another' }],
    ['id', { session: 's9' }],
    ['guest device', { mac: 'A0:00:00:00:00:99' }],
    ['time', { seconds: 60 }],
  ])('a report without a class and with another %s belongs to another session', async (_, other) => {
    await scene.send('start', { class: 'one', ago: 600 });
    await scene.send('interim', { class: 'one', ago: 500, seconds: 100, up: 5 });
    await scene.send('stop', { seconds: 600, up: 7, ...other });
    const sessions = [...(await scene.open()), ...(await scene.closed())];
    expect(sessions.find(it => it.class === 'one')).toMatchObject({ upload: 5 });
    expect(sessions).toHaveLength(2);
  });

  test.each([
    ['a Start', 85, ['start']],
    ['an Accounting-Off and a Start', 85, ['off', 'start']],
    ['an Accounting-On, its Start lost', 85, ['on']],
    ['a restart, all about it lost', 110, []],
  ] as const)(
    'a report after %s in one batch belongs to the new session, though the router uses the id again',
    async (_, last, first) => {
      await scene.send('start', { class: 'one', ago: 160 });
      await scene.send('interim', { class: 'one', ago: last, seconds: 160 - last, up: 5 });
      await scene.handlers.account([
        ...first.map(status => scene.record(status, { ago: 70 })),
        scene.record('interim', { ago: 30, seconds: 35, up: 7 }),
      ]);
      expect(await scene.closed()).toMatchObject([{ class: 'one', upload: 5 }]);
      expect(await scene.open()).toMatchObject([{ class: null, upload: 7 }]);
      expect(await scene.days()).toMatchObject([{ sessions: 2, upload: 5 }]);
    },
  );

  test('a report that began a little before its open session belongs to no session that began after it', async () => {
    const elsewhere = await scene.addDevice();
    // The router does not say that this report waited for 100 seconds.
    await scene.send('interim', { class: 'one', ago: 9700, seconds: 200, up: 1 });
    await scene.send('start', { class: 'one', ago: 5000 });
    await scene.send('interim', { class: 'one', ago: 4000, seconds: 6000, up: 5 });
    await scene.send('start', { device: elsewhere, session: 's2', ago: 3905 });
    const back = { class: 'one', ago: 3800, seconds: 6200, up: 9 };
    for (const time of ['once', 'again']) {
      await scene.send('interim', back);
      expect(await scene.open(), time).toMatchObject([{ class: 'one', upload: 9, reopened: true }]);
      expect(await scene.closed(), time).toMatchObject([
        { acct_session_id: 's1', close_reason: 'roamed', upload: 0 },
        { acct_session_id: 's2', close_reason: 'roamed' },
      ]);
    }
  });

  test('a Stop without a class is known again while the guest has its next session', async () => {
    await scene.send('start', { class: 'one', ago: 120 });
    await scene.send('stop', { ago: 20, seconds: 100, up: 9 });
    await scene.send('start', { session: 's2', class: 'two', ago: 10 });
    await scene.send('stop', { ago: 20, seconds: 100, up: 9 });
    expect(await scene.closed()).toMatchObject([{ class: 'one', upload: 9 }]);
    expect(await scene.open()).toMatchObject([{ class: 'two' }]);
  });

  test('a report without a class is no part of a session that was over before it began', async () => {
    await scene.send('start', { class: 'one', ago: 600 });
    await scene.send('stop', { class: 'one', ago: 500, seconds: 100, up: 5 });
    await scene.send('stop', { seconds: 60, up: 7 });
    expect(await scene.closed()).toMatchObject([
      { class: 'one', upload: 5 },
      { class: null, upload: 7 },
    ]);
  });

  test('the same session id with another class is another session', async () => {
    await scene.send('start', { class: 'one', ago: 50 });
    await scene.send('start', { class: 'two' });
    expect(await scene.open()).toHaveLength(1);
    expect(await scene.closed()).toHaveLength(1);
  });
});

describe('the router goes on or off', () => {
  test('ends the sessions of that router only, at their last update', async () => {
    const other = await scene.addDevice();
    const elsewhere = await makeScene(app);
    await scene.send('start', { ago: 100 });
    await scene.send('start', { device: other, ago: 100, session: 'other', mac: 'A0:00:00:00:00:02' });
    await elsewhere.send('start', { ago: 100 });
    await scene.send('on');
    expect(await scene.open()).toMatchObject([{ acct_session_id: 'other' }]);
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'restart' });
    expectAgo(past!.ended_at, 100);
    expect(await elsewhere.open()).toHaveLength(1);
  });

  test('ends no session that began after it, and keeps its order within a batch', async () => {
    await scene.handlers.account([
      scene.record('start', { ago: 100, session: 'before' }),
      scene.record('off', { ago: 50 }),
      scene.record('start', { ago: 20, session: 'after' }),
    ]);
    await scene.send('on', { ago: 50 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 'after' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 'before' }]);
  });
});

describe('stale sessions', () => {
  const sweep = () => app.db.withSystem(closeStale);

  test('are closed at their last update after three intervals, and not before', async () => {
    await scene.send('start', {});
    await scene.age(170);
    await sweep();
    expect(await scene.open()).toHaveLength(1);
    await scene.age(20);
    await sweep();
    expect(await scene.open()).toEqual([]);
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'stale' });
    expectAgo(past!.ended_at, 190);
  });

  test('an update reopens them with a flag, and the router’s interval is learned', async () => {
    const began = Date.now();
    await scene.send('start', { up: 5 });
    await scene.age(300);
    await sweep();
    await scene.send('interim', { up: 50, seconds: 300 });
    expect(await scene.closed()).toEqual([]);
    const [now] = await scene.open();
    expect(now).toMatchObject({ reopened: true, upload: 50 });
    expect(Number(now!.interim)).toBeGreaterThanOrEqual(300);
    // The clock goes on meanwhile.
    expect(Number(now!.interim)).toBeLessThanOrEqual(300 + Math.ceil((Date.now() - began) / 1000));
    await scene.send('stop', { up: 60, seconds: 310 });
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 60 }]);
  });

  test('an older update or one of a device with another open session does not reopen them', async () => {
    await scene.send('start', {});
    await scene.age(300);
    await sweep();
    await scene.send('interim', { ago: 400, up: 3 });
    expect(await scene.open()).toEqual([]);
    await scene.send('start', { session: 's2', ago: 5 });
    await scene.send('interim', { up: 50, seconds: 300 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', upload: 50 }]);
  });

  interface Told {
    readonly class?: string;
    readonly seconds?: number;
  }
  test.each<[string, Told, Told, Told]>([
    ['all reports', { class: 'c1' }, { class: 'c1', seconds: 300 }, { class: 'c1', seconds: 310 }],
    ['only the Start', { class: 'c1' }, { seconds: 300 }, { seconds: 310 }],
    ['no report', {}, { seconds: 300 }, { seconds: 310 }],
    ['Start and Stop', { class: 'c1' }, { seconds: 300 }, { class: 'c1', seconds: 310 }],
    ['no report, and the time only in the Stop', {}, {}, { seconds: 310 }],
    ['only the Start, and the time only in the Stop', { class: 'c1' }, {}, { seconds: 310 }],
    ['all reports, and the time only in the Stop', { class: 'c1' }, { class: 'c1' }, { class: 'c1', seconds: 310 }],
  ])('that were opened again end with their Stop; Class in %s', async (_, start, interim, stop) => {
    await scene.send('start', { ...start, up: 5 });
    await scene.age(300);
    await sweep();
    await scene.send('interim', { ...interim, up: 50 });
    expect(await scene.open()).toHaveLength(1);
    await scene.send('stop', { ...stop, up: 60 });
    expect(await scene.open()).toEqual([]);
    const closed = await scene.closed();
    expect(closed.map(it => [it.close_reason, it.upload])).toEqual([['stop', 60]]);
    expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 60 }]);
  });

  test('a stop corrects their end', async () => {
    await scene.send('start', {});
    await scene.age(300);
    await sweep();
    await scene.send('stop', { up: 9, seconds: 300 });
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'stop', terminate_cause: 'User-Request', upload: 9 });
    expectAgo(past!.ended_at, 0);
  });
});

test('usage is counted on its day in the location’s time zone', async () => {
  await scene.send('start', {});
  await scene.send('interim', { up: 100, seconds: 50 });
  // A session of yesterday that is reported after midnight.
  await app.db.withSystem(tx =>
    tx.run(sql`update online_sessions set day = day - 1, hour_ends_at = hour_ends_at - interval '1 day', started_at = started_at - interval '1 day',
      updated_at = updated_at - interval '1 day' where tenant_id = ${scene.tenantId}`),
  );
  await scene.send('interim', { up: 150, seconds: 90 });
  await scene.send('stop', { up: 170, seconds: 100 });
  expect(await scene.days()).toMatchObject([{ upload: 100 }, { upload: 70, seconds: 50 }]);
});

test('an expired licence ends sessions once, at their next interim update', async () => {
  await scene.send('start', { ago: 60 });
  const commands = () => scene.inTenant(tx => tx.many(sql`select state, reason from session_commands`));
  await scene.set('devices', scene.device.id, { trial_end_at: '2020-01-01' });
  await scene.send('interim', { ago: 30 });
  expect(await commands()).toEqual([]);
  await scene.set('locations', scene.locationId, { trial_end_at: '2020-01-01' });
  await scene.send('interim', {});
  await scene.send('interim', {});
  expect(await commands()).toEqual([{ state: 'requested', reason: 'licence' }]);
  await scene.send('stop', {});
  expect(await commands()).toEqual([{ state: 'confirmed', reason: 'licence' }]);
});

test('an expired licence ends a session also when its router has refused an operator’s command, but does not ask twice', async () => {
  await scene.send('start', { ago: 60 });
  const reasons = () =>
    scene.inTenant(tx => tx.many(sql`select kind, reason from session_commands order by requested_at, id`));
  const operator = { kind: 'end', reason: 'operator' };
  const command = (kind: string, state: string) =>
    scene.inTenant(tx =>
      tx.run(sql`insert into session_commands (session_id, location_id, device_id, kind, reason, state)
        select id, location_id, device_id, ${kind}, 'operator', ${state} from online_sessions`),
    );
  for (const table of ['devices', 'locations'] as const)
    await scene.set(table, table === 'devices' ? scene.device.id : scene.locationId, { trial_end_at: '2020-01-01' });
  await command('end', 'requested');
  await scene.send('interim', {});
  expect(await reasons(), 'the operator’s command may still help').toEqual([operator]);
  await scene.inTenant(tx => tx.run(sql`update session_commands set state = 'refused'`));
  await command('change', 'requested');
  await scene.send('interim', {});
  await scene.send('interim', {});
  expect(await reasons()).toEqual([
    operator,
    { kind: 'change', reason: 'operator' },
    { kind: 'end', reason: 'licence' },
  ]);
});

test('a session that began and ended while a batch waited is known to that batch', async () => {
  const class1 = 'c'.repeat(32);
  const repeated = JSON.stringify([
    {
      ...{ tenant: scene.tenantId, device: scene.device.id, status: 'stop', session: 's1', user_name: 'ada' },
      ...{ mac: 'A0:00:00:00:00:01', ip: '10.5.50.9', class: class1, seconds: 0, upload: 7, download: 0 },
      at: new Date(Date.now() + 60_000),
    },
  ]);
  await app.db.withSystem(async tx => {
    // now() is when this transaction began, and the router's clock has milliseconds.
    await tx.many(sql`select now(), pg_sleep(0.01)`);
    await scene.send('start', { class: class1 });
    await scene.send('stop', { class: class1, up: 7 });
    await tx.many(sql`select account(${repeated}::jsonb)`);
  });
  expect(await scene.closed()).toHaveLength(1);
  expect(await scene.days()).toMatchObject([{ sessions: 1, upload: 7 }]);
});

test('a session without an IPv4 network is in the IPv6 network of its device', async () => {
  const [network, narrower] = [newId(), newId()];
  const networkOf = async (session: string) =>
    (await scene.open()).find(it => it.acct_session_id === session)?.network_id ?? null;
  await app.db.withTenant(scene.tenantId, async tx => {
    for (const [id, start, subnet] of [
      [network, '2001:db8:7::', 48],
      [narrower, '2001:db8:7:1::', 64],
    ] as const)
      await tx.run(sql`insert into networks (id, device_id, name, start_ip, subnet)
        values (${id}, ${scene.device.id}, ${start}, ${start}, ${subnet})`);
  });
  const start = (session: string, mac: string, networks: string[]) =>
    scene.handlers.account([{ ...scene.record('start', { session, mac }), networks } as AccountingRecord]);
  await start('in', 'A0:00:00:00:00:01', ['2001:db8:7:1::9/128']);
  await start('delegated', 'A0:00:00:00:00:02', ['2001:db8:7:ff00::/56']);
  await start('outside', 'A0:00:00:00:00:03', ['2001:db8:8::9/128']);
  expect(await Promise.all(['in', 'delegated', 'outside'].map(networkOf))).toEqual([narrower, network, null]);
});

test('screens are notified once per location', async () => {
  const received: unknown[] = [];
  const stop = app.changes.subscribe(
    change => change.tenant === scene.tenantId && change.topic === 'sessions' && received.push(change),
  );
  await scene.handlers.account([
    scene.record('start', {}),
    scene.record('start', { session: 's2', mac: 'A0:00:00:00:00:02' }),
  ]);
  await expect
    .poll(() => received)
    .toEqual([{ tenant: scene.tenantId, location: scene.locationId, topic: 'sessions' }]);
  stop();
});

test('a burst of batches about many locations sends four notices a second', async () => {
  const listener = await app.db.pool.connect();
  onTestFinished(() => listener.release(true));
  const notices: { tenant: string; location: string | null }[][] = [];
  const tenants = new Set([scene.tenantId]);
  const small = await makeScene(app);
  tenants.add(small.tenantId);
  const last = await makeScene(app);
  let isOver = false;
  const places = Array.from({ length: 30 }, () => newId());
  await app.db.withTenant(scene.tenantId, async tx => {
    for (const id of places)
      await tx.run(
        sql`insert into locations (id, name, trial_end_at) values (${id}, 'Şube', now() + interval '15 days')`,
      );
  });
  const devices = [...(await Promise.all(places.map(id => scene.addDevice(id)))), small.device];
  listener.on('notification', ({ payload }) => {
    const all = [JSON.parse(payload!)].flat().filter(it => it.topic === 'sessions');
    isOver ||= all.some(it => it.tenant === last.tenantId);
    const changes = all.filter(it => tenants.has(it.tenant));
    if (changes.length > 0) notices.push(changes);
  });
  await listener.query('listen portico');
  const began = Date.now();
  for (let batch = 0; batch < 20; batch++)
    await scene.handlers.account(devices.map(device => scene.record('start', { device, session: `burst-${batch}` })));
  // What comes after the burst is told with its last changes or after them.
  await scene.handlers.account([scene.record('start', { device: last.device, session: 'after' })]);
  await expect.poll(() => isOver).toBe(true);
  const quarters = Math.ceil((Date.now() - began) / 250);
  expect(notices.length).toBeGreaterThan(0);
  // One for each location and batch would be 620.
  expect(notices.length).toBeLessThanOrEqual(quarters + 1);
  // More than twenty locations of a tenant are told together.
  for (const changes of notices)
    expect(changes.toSorted((x, y) => Number(x.location !== null) - Number(y.location !== null))).toMatchObject([
      { tenant: scene.tenantId, location: null },
      { tenant: small.tenantId, location: small.locationId },
    ]);
});

test('concurrent batches about the same guests give consistent results without deadlock', async () => {
  const macs = Array.from({ length: 30 }, (_, i) => `A0:00:00:00:01:${i.toString(16).padStart(2, '0').toUpperCase()}`);
  const shuffled = () => macs.toSorted(() => Math.random() - 0.5);
  const other = await scene.addDevice();
  const batches = Array.from({ length: 40 }, (_, i) => [
    ...shuffled().map(mac =>
      scene.record('start', {
        mac,
        session: `${mac}-${i % 7}`,
        ago: 100 - i,
        device: i % 2 ? other : scene.device,
      }),
    ),
    ...shuffled().map(mac =>
      scene.record(i % 3 ? 'interim' : 'stop', {
        mac,
        session: `${mac}-${i % 7}`,
        seconds: 100 - i,
        up: i,
        device: i % 2 ? other : scene.device,
      }),
    ),
    ...(i % 10 === 9 ? [scene.record('on', {})] : []),
  ]).values();
  // Fewer at a time than there are connections: the others would wait for one, and give up on a busy machine.
  const applyNext = async () => {
    for (const batch of batches) await scene.handlers.account(batch);
  };
  await Promise.all(Array.from({ length: 8 }, applyNext));
  const twice = await scene.inTenant(tx =>
    tx.many(sql`select location_id, client_mac from online_sessions group by 1, 2 having count(*) > 1`),
  );
  expect(twice).toEqual([]);
  const ids = await scene.inTenant(tx =>
    tx.one(sql`select count(*) as rows, count(distinct accounting_id) as sessions
      from (select accounting_id from online_sessions union all select accounting_id from session_history) x`),
  );
  expect(ids['rows']).toBe(ids['sessions']);
  const sums = await scene.inTenant(tx =>
    tx.one(sql`select (select sum(sessions)::bigint from session_days) as counted, (select sum(upload)::bigint from session_days) as upload,
      (select sum(upload)::bigint from session_history) + (select coalesce(sum(counted_upload), 0)::bigint from online_sessions) as truth`),
  );
  expect(sums['counted']).toBe(ids['rows']);
  expect(sums['upload']).toBe(sums['truth']);
});

test('the role of tenants cannot write sessions, and cannot access partitions directly', async () => {
  await scene.send('start', { ago: 5 });
  await scene.send('stop', {});
  const other = await makeScene(app);
  expect(await other.closed()).toEqual([]);
  const refused = (text: string) =>
    expect(scene.inTenant(tx => tx.run(sql([text])))).rejects.toThrow(/permission denied/);
  for (const table of [
    'online_sessions',
    'session_history',
    'session_days',
    'session_hours',
    'visitor_days',
    'visitor_device_days',
    'guest_devices',
    'admissions',
  ])
    await refused(`delete from ${table}`);
  const parts = await app.db.withSystem(tx =>
    tx.many<{
      part: string;
      safe: boolean;
    }>(sql`select c.relname as part, c.relrowsecurity and c.relforcerowsecurity as safe
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'session_history'::regclass`),
  );
  expect(parts.length).toBeGreaterThan(3);
  for (const { part, safe } of parts) {
    expect(safe).toBe(true);
    await refused(`select * from ${part}`);
  }
  await refused(`select account('[]')`);
  await refused(`select * from authorize('[]')`);
});
