import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { startApp } from '#test/harness.ts';
import { expectAgo, noteBegin } from './testing/ago.ts';
import { makeScene, type Scene } from './testing/scene.ts';

/** Accounting that arrives late, twice or never, or that reuses a session id. */

const app = await startApp();
let scene: Scene;
beforeEach(async () => {
  scene = await makeScene(app);
});
noteBegin();

describe('a session that was replaced', () => {
  test('takes end and cause from its late Stop', async () => {
    await scene.send('start', { ago: 600 });
    await scene.send('interim', { ago: 300, seconds: 300, up: 7 });
    await scene.send('start', { session: 's2', ago: 100 });
    await scene.send('stop', { ago: 120, seconds: 480, up: 9 });
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'stop', terminate_cause: 'User-Request', upload: 9, seconds: 480 });
    expectAgo(past!.ended_at, 120);
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
  });

  test('ends at the latest when the next one begins, even if its late Stop reports a later end', async () => {
    await scene.send('start', { ago: 600 });
    await scene.send('start', { session: 's2', ago: 100 });
    await scene.send('stop', { ago: 0, seconds: 600 });
    const [past] = await scene.closed();
    expect(past).toMatchObject({ close_reason: 'stop' });
    expectAgo(past!.ended_at, 100);
  });
});

describe('a Class', () => {
  test('names the guest also where a Start without its delay looks like a second session', async () => {
    const visitor = await scene.addVisitor('ada', 'pw');
    const decision = await scene.signIn({ user: 'ada', password: 'pw' });
    const session = { user: 'a ticket', class: (decision as { class: string }).class };
    await scene.send('interim', { ...session, ago: 600, seconds: 60, up: 5 });
    await scene.send('start', { ...session, ago: 300 });
    expect(await scene.open()).toMatchObject([{ visitor_id: visitor }]);
    expect(await scene.closed()).toMatchObject([{ visitor_id: visitor, close_reason: 'replaced' }]);
  });
});

describe('a router that reboots and uses a session id again', () => {
  test('begins a new session when the old one is still open', async () => {
    await scene.send('start', { ago: 600 });
    await scene.send('interim', { ago: 540, seconds: 60, up: 100 });
    await scene.send('start', { ago: 400 });
    await scene.send('interim', { ago: 340, seconds: 60, up: 30 });
    expect(await scene.open()).toMatchObject([{ upload: 30 }]);
    const [past] = await scene.closed();
    expect(past).toMatchObject({ upload: 100, close_reason: 'replaced' });
    expectAgo(past!.ended_at, 540);
    expect(await scene.days()).toMatchObject([{ sessions: 2 }]);
  });

  test('begins a new session when only an interim update of it arrives', async () => {
    await scene.send('start', { ago: 900 });
    await scene.send('interim', { ago: 600, seconds: 300, up: 100 });
    await scene.send('interim', { ago: 400, seconds: 60, up: 30 });
    const [now] = await scene.open();
    expect(now).toMatchObject({ upload: 30 });
    expectAgo(now!.started_at, 460);
    expect(await scene.closed()).toMatchObject([{ upload: 100 }]);
  });

  test('begins a new session when the old one was stopped or ended by the restart', async () => {
    await scene.send('start', { ago: 2000 });
    await scene.send('stop', { ago: 1900, seconds: 100, up: 1 });
    await scene.send('start', { ago: 1500 });
    await scene.send('interim', { ago: 1440, seconds: 60, up: 2 });
    await scene.send('on', { ago: 1400 });
    await scene.send('start', { ago: 1390 });
    await scene.send('stop', { ago: 1300, seconds: 90, up: 4 });
    expect(await scene.open()).toEqual([]);
    expect((await scene.closed()).map(it => [it.upload, it.close_reason])).toEqual([
      [1, 'stop'],
      [2, 'restart'],
      [4, 'stop'],
    ]);
    expect(await scene.days()).toMatchObject([{ sessions: 3, upload: 7 }]);
  });

  test('does not end the new session with a late Stop of the old one', async () => {
    await scene.send('start', { ago: 900 });
    await scene.send('interim', { ago: 600, seconds: 300, up: 100 });
    await scene.send('start', { ago: 400 });
    await scene.send('stop', { ago: 580, seconds: 320, up: 120 });
    expect(await scene.open()).toHaveLength(1);
    const [past] = await scene.closed();
    expect(past).toMatchObject({ upload: 120, close_reason: 'stop' });
    expectAgo(past!.ended_at, 580);
  });
});

describe('a counter of 32 bits without Gigawords', () => {
  const gib4 = 2 ** 32;

  test('continues the count after each wrap to 0', async () => {
    await scene.send('start', { ago: 600 });
    await scene.send('interim', { ago: 480, seconds: 120, down: 4.2e9, up: 1000 });
    await scene.send('interim', { ago: 420, seconds: 180, down: 1e8, up: 2000 });
    expect(await scene.open()).toMatchObject([{ download: gib4 + 1e8, upload: 2000 }]);
    await scene.send('interim', { ago: 360, seconds: 240, down: 4.2e9, up: 2000 });
    await scene.send('stop', { ago: 300, seconds: 300, down: 5e7, up: 2000 });
    const [past] = await scene.closed();
    expect(past!.download).toBe(2 * gib4 + 5e7);
    expect(await scene.days()).toMatchObject([{ download: 2 * gib4 + 5e7 }]);
  });

  test('does not count as wrapped when a report is late, has no counters or would exceed line speed', async () => {
    await scene.send('start', { ago: 600 });
    await scene.send('interim', { ago: 480, seconds: 120, down: 4.2e9 });
    await scene.send('interim', { ago: 500, seconds: 100, down: 4.1e9 });
    await scene.send('interim', { ago: 420, seconds: 180, down: 0 });
    await scene.send('interim', { ago: 419, seconds: 181, down: 1e9 });
    expect(await scene.open()).toMatchObject([{ download: 4.2e9 }]);
  });
});

describe('a phone that roams', () => {
  test('is online once even if the Stop of the first router is lost', async () => {
    const other = await scene.addDevice();
    await scene.send('start', { ago: 300 });
    await scene.send('interim', { ago: 240, seconds: 60, up: 5 });
    await scene.send('start', { session: 's2', device: other, ago: 100 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', close_reason: 'roamed', upload: 5 }]);
    // The first router has not noticed the move yet.
    await scene.send('interim', { ago: 60, seconds: 240, up: 5 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
  });

  test('stays at the new router when the first one reports late what was used before', async () => {
    const other = await scene.addDevice();
    await scene.send('start', { ago: 300 });
    await scene.send('interim', { ago: 240, seconds: 60, up: 5 });
    await scene.send('start', { session: 's2', device: other, ago: 200 });
    // Sent before the move, and after it with what was used just before: neither is news of the guest.
    await scene.send('interim', { ago: 190, seconds: 90, up: 20 });
    await scene.send('interim', { ago: 180, seconds: 120, up: 30 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', close_reason: 'roamed', upload: 30 }]);
    expect(await scene.days()).toMatchObject([{ sessions: 2, upload: 30 }]);
  });

  test('is online at the first router again when it returns and its session there continues', async () => {
    const other = await scene.addDevice();
    await scene.send('start', { ago: 300 });
    await scene.send('start', { session: 's2', device: other, ago: 200 });
    await scene.send('interim', { ago: 160, seconds: 140, up: 10 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
    await scene.send('interim', { ago: 100, seconds: 200, up: 50 });
    expect(await scene.open()).toMatchObject([{ acct_session_id: 's1', upload: 50 }]);
    expect(await scene.closed()).toMatchObject([{ acct_session_id: 's2', close_reason: 'roamed' }]);
    expect(await scene.days()).toMatchObject([{ sessions: 2 }]);
  });

  test('counts separately at another location', async () => {
    const elsewhere = await makeScene(app, scene.tenantId);
    await scene.send('start', { ago: 300 });
    await elsewhere.send('start', { session: 's2', ago: 200 });
    expect(await scene.open()).toHaveLength(2);
  });
});

test('a guest who roams to another router stays there, though the first one restarts in the same batch', async () => {
  const other = await scene.addDevice();
  await scene.handlers.account([
    scene.record('on', { ago: 400 }),
    scene.record('start', { ago: 300 }),
    scene.record('start', { session: 's2', device: other, ago: 200 }),
  ]);
  expect(await scene.open()).toMatchObject([{ acct_session_id: 's2' }]);
  expect(await scene.closed()).toMatchObject([{ acct_session_id: 's1', close_reason: 'roamed' }]);
});

test('a late Start of an older session leaves the latest session of the guest device', async () => {
  const latest = () =>
    scene.inTenant(tx =>
      tx.one<{ sessions: number }>(sql`select sessions, session_id, device_id, session_started_at from guest_devices`),
    );
  await scene.send('start', { session: 's2', ago: 100 });
  const before = await latest();
  await scene.send('start', { session: 's1', ago: 500, device: await scene.addDevice() });
  expect(await latest()).toEqual({ ...before, sessions: 2 });
});

describe('a sign-in at another location', () => {
  const signedInThere = async () => {
    const elsewhere = newId();
    await scene.inTenant(tx =>
      tx.run(
        sql`insert into locations (id, name, trial_end_at) values (${elsewhere}, 'Other', now() + interval '1 day')`,
      ),
    );
    await scene.addVisitor('ada', 'pw', { location_id: elsewhere });
    const decision = await scene.signIn({ user: 'ada', password: 'pw' }, await scene.addDevice(elsewhere));
    expect(decision).toMatchObject({ outcome: 'accept', class: expect.any(String) });
    return (decision as { class: string }).class;
  };

  test('names no guest of a session here by the guest device', async () => {
    await signedInThere();
    await scene.send('start', { user: 'a phone' });
    expect(await scene.open()).toMatchObject([{ visitor_id: null }]);
  });

  test('names no guest of a session here by its Class', async () => {
    await scene.send('start', { user: 'a phone', class: await signedInThere() });
    expect(await scene.open()).toMatchObject([{ visitor_id: null }]);
  });
});

test('a session whose router has a clock that is ahead does not begin in the future', async () => {
  await scene.send('start', { user: 'ada', ago: -7200 });
  const [session] = await scene.inTenant(tx =>
    tx.many<{ later: boolean }>(sql`select started_at > now() or updated_at > now() as later from online_sessions`),
  );
  expect(session).toEqual({ later: false });
});

describe('a session that was closed because the clock was set forward', () => {
  beforeEach(async () => {
    await scene.send('start', { class: 'c1', ago: 120 });
    await scene.send('interim', { class: 'c1', ago: 60, seconds: 60, up: 1000, down: 5000 });
    await scene.age(86_400);
    await app.db.withSystem(tx => tx.run(sql`select close_stale_sessions()`));
    expect(await scene.closed()).toMatchObject([{ close_reason: 'stale', upload: 1000 }]);
  });
  const total = async () => (await scene.days()).map(day => [day.sessions, day.upload, day.download]);

  test('goes on with the next report, and its use counts once', async () => {
    await scene.send('interim', { class: 'c1', seconds: 120, up: 1500, down: 5000 });
    expect(await scene.closed()).toEqual([]);
    expect(await scene.open()).toMatchObject([{ reopened: true, upload: 1500 }]);
    expect(await total()).toEqual([[1, 1000, 5000]]);
    await scene.send('stop', { class: 'c1', seconds: 130, up: 1600, down: 6000 });
    expect(await scene.closed()).toMatchObject([{ close_reason: 'stop', upload: 1600 }]);
    const days = await scene.days();
    expect(days.reduce((sum, day) => sum + day.upload, 0)).toBe(1600);
    expect(days.reduce((sum, day) => sum + day.sessions, 0)).toBe(1);
  });

  test('ends with its Stop', async () => {
    await scene.send('stop', { class: 'c1', seconds: 130, up: 1600, down: 6000 });
    expect(await scene.closed()).toMatchObject([{ close_reason: 'stop', upload: 1600 }]);
    expect(await total()).toEqual([[1, 1600, 6000]]);
  });

  test('is another one when the router counts from zero', async () => {
    await scene.send('interim', { class: 'c1', seconds: 30, up: 10, down: 20 });
    expect(await scene.open()).toMatchObject([{ reopened: false, upload: 10 }]);
    expect(await scene.closed()).toMatchObject([{ close_reason: 'stale', upload: 1000 }]);
  });
});

test('without a Class the user name means the guest of that location, though another one has the same name', async () => {
  const elsewhere = newId();
  await scene.inTenant(tx =>
    tx.run(
      sql`insert into locations (id, name, trial_end_at) values (${elsewhere}, 'Other', now() + interval '1 day')`,
    ),
  );
  await scene.addVisitor('ada', 'pw', { location_id: elsewhere });
  const guest = await scene.addVisitor('ada', 'pw');
  await scene.send('start', { user: 'ada' });
  expect(await scene.open()).toMatchObject([{ visitor_id: guest }]);
});

describe('a command to end a session', () => {
  const command = (state: string) =>
    scene.inTenant(tx =>
      tx.run(sql`insert into session_commands (session_id, location_id, device_id, reason, state)
        select id, location_id, device_id, 'operator', ${state} from online_sessions`),
    );
  const states = async () =>
    (await scene.inTenant(tx => tx.many<{ state: string }>(sql`select state from session_commands`))).map(
      it => it.state,
    );

  test.each(['requested', 'acknowledged', 'no-answer'])('that is %s is confirmed by the Stop', async state => {
    await scene.send('start', { ago: 60 });
    await command(state);
    await scene.send('stop', {});
    expect(await states()).toEqual(['confirmed']);
  });

  test('that the router refused stays refused after the Stop', async () => {
    await scene.send('start', { ago: 60 });
    await command('refused');
    await scene.send('stop', {});
    expect(await states()).toEqual(['refused']);
  });

  test('is not confirmed when the session is closed without news of it', async () => {
    await scene.send('start', {});
    await command('acknowledged');
    await scene.age(3600);
    await app.db.withSystem(tx => tx.run(sql`select close_stale_sessions()`));
    expect(await scene.closed()).toMatchObject([{ close_reason: 'stale' }]);
    expect(await states()).toEqual(['acknowledged']);
  });
});

test('a late Stop twice leaves no empty hour', async () => {
  await scene.send('start', { ago: 9000 });
  await app.db.withSystem(tx => tx.run(sql`select close_stale_sessions()`));
  await scene.send('stop', { ago: 60, seconds: 8940, up: 5 });
  await scene.send('stop', { ago: 60, seconds: 8940, up: 5 });
  const hours = await scene.inTenant(tx => tx.many(sql`select 1 from session_hours`));
  expect(hours).toHaveLength(1);
});

test.each([
  ['New York, before the repeated hour', 'America/New_York', '2025-11-02T04:30:00Z', '2025-11-02T05:00:00Z'],
  ['New York, the repeated hour', 'America/New_York', '2025-11-02T05:30:00Z', '2025-11-02T07:00:00Z'],
  ['Berlin, before the repeated hour', 'Europe/Berlin', '2025-10-25T23:30:00Z', '2025-10-26T00:00:00Z'],
  ['Berlin, the hour that is left out', 'Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
  ['Lord Howe, half an hour repeated', 'Australia/Lord_Howe', '2026-04-04T14:40:00Z', '2026-04-04T15:30:00Z'],
])('an hour ends on time: %s', async (_name, zone, at, end) => {
  const ends = await app.db.withSystem(tx =>
    tx.one<{ end: string }>(sql`select hour_end(${at}::timestamptz, ${zone}) as end`),
  );
  expect(new Date(ends!.end).toISOString()).toBe(new Date(end).toISOString());
});

test('usage is counted in its hour, and the hours add up to the day', async () => {
  await scene.send('start', {});
  const ends = await scene.inTenant(tx => tx.one<{ at: string }>(sql`select hour_ends_at as at from online_sessions`));
  expect(Date.parse(ends.at) % 3_600_000, 'an hour ends at its full hour').toBe(0);
  await scene.send('interim', { up: 100, seconds: 50 });
  await app.db.withSystem(tx =>
    tx.run(sql`update online_sessions set hour = hour - 1, hour_ends_at = hour_ends_at - interval '1 hour',
      started_at = started_at - interval '1 hour', updated_at = updated_at - interval '1 hour' where tenant_id = ${scene.tenantId}`),
  );
  await scene.send('interim', { up: 150, seconds: 3650 });
  await scene.send('stop', { up: 170, seconds: 3660 });
  await scene.send('start', { session: 'another' });
  await scene.send('stop', { session: 'another', up: 30, seconds: 5 });
  const hours = await scene.inTenant(tx =>
    tx.many<{ day: string; upload: number; seconds: number }>(
      sql`select day::text, upload, seconds from session_hours where upload > 0 order by day, hour`,
    ),
  );
  expect(hours).toMatchObject([
    { upload: 100, seconds: 50 },
    { upload: 100, seconds: 3615 },
  ]);
  expect(await scene.days()).toMatchObject([{ upload: 200, seconds: 3665 }]);
});

test('a repeated Stop counts once, also after a Start that was repeated late without Acct-Delay-Time', async () => {
  await scene.send('start', { ago: 3600 });
  // The copy looks like a session of its own that began 36 seconds later.
  await scene.send('start', { ago: 3564 });
  await scene.send('stop', { ago: 60, seconds: 3540, up: 5, down: 7 });
  const once = await scene.days();
  await scene.send('stop', { ago: 60, seconds: 3540, up: 5, down: 7 });
  expect(await scene.days()).toEqual(once);
});

test('sessions with impossible counts of bytes are kept, and their sums stop at a number that a column holds', async () => {
  const visitor = await scene.addVisitor('ada', 'pw');
  const impossible = Array.from({ length: 90 }, (_, of) =>
    Array.from({ length: 100 }, (_, n) =>
      scene.record('stop', { session: `${of}-${n}`, mac: undefined, seconds: 10, up: 2 ** 52, down: 2 ** 52 }),
    ),
  );
  for (const some of impossible) await scene.handlers.account(some);
  expect(await scene.closed()).toHaveLength(9000);
  const sums = { upload: Number.MAX_SAFE_INTEGER, download: Number.MAX_SAFE_INTEGER };
  expect(await scene.days()).toMatchObject([{ ...sums, sessions: 9000 }]);
  const more = await scene.inTenant(async tx => ({
    of: await tx.many(sql`select visitor_id, sessions, upload, download from visitor_days`),
    // The comparison of the figures with their sessions adds the same.
    different: await tx.many(sql`
      select f.* from session_days d cross join lateral figure_differences(d.tenant_id, d.location_id, d.day) f`),
  }));
  expect(more).toEqual({ of: [{ ...sums, visitor_id: visitor, sessions: 9000 }], different: [] });
});
