import type { VisitorSession } from '@portico/contract/visitor-page.ts';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { noteBegin, secondsOfTest } from '#features/sessions/testing/ago.ts';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1' });
  await venue.run(sql`update devices set hotspot_address = '10.5.50.1/24' where id = ${venue.device.id}`);
  // The figures of a day begin again at midnight.
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()} where id = ${venue.location}`);
}, 120_000);
newGuestEachTest(() => venue);
noteBegin();

const limit = (option: string, value: number) => ({ is_active: true, option, value });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ticketOf = (answer: PageAnswer) => new URL(answer.headers.get('location')!).searchParams.get('username')!;

let addresses = 70;
const shared = { daily_quota: limit('gb', 1), total_quota: limit('gb', 3), daily_duration: limit('hour', 5) };
/** A visitor with two devices that have used 100 and 200 MB, by default of 1 GB a day that they share. */
async function onTwoDevices(more: object = {}, limits: object = shared) {
  const profile = await venue.create('panel/location/user-profile', {
    ...{ name: `Paylaşılan ${Math.random()}`, location_id: venue.location, shared_user: 3, ...limits },
  });
  const username = await venue.visitor({ profile_id: profile.id, ...more });
  const used = [
    { uploadBytes: 1e8, downloadBytes: 0 },
    { uploadBytes: 0, downloadBytes: 2e8 },
  ];
  let answer: PageAnswer | undefined;
  const pages: PageAnswer[] = [];
  for (const bytes of used) {
    addresses += 1;
    venue.newMac();
    answer = await venue.submit({ username, password: 'parola 1' });
    const ticket = ticketOf(answer);
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, bytes, { sessionId: `s${addresses}`, framedIp: `10.5.50.${addresses}` });
    pages.push(answer);
  }
  const at = `10.5.50.${addresses}`;
  const [visitor] = await venue.rows<{ id: string }>(sql`select id from visitors where username = ${username}`);
  const panel = async () => {
    const { body } = await venue.api.get(`panel/client/${visitor!.id}`, { token: venue.admin });
    return body.data.balance;
  };
  const phone = async (address = at) => {
    const { html } = await venue.captive.get(`/captive/${venue.nas}`, { 'x-forwarded-for': address });
    return JSON.parse(html);
  };
  const page = async (of = answer!) => (await venue.openOnline(of)).html;
  const sessions = async (): Promise<VisitorSession[]> => {
    const { body } = await venue.api.get(`panel/client/${visitor!.id}/sessions`, { token: venue.admin });
    return body.data;
  };
  return { id: visitor!.id, at, username, panel, phone, page, pages, sessions };
}

const secondsOn = (html: string) => Number(/data-left="(\d+)"/.exec(html)?.[1]);

/** The figures are read one after another, so the time left may be less in the later ones: by the time of the test, and rounded. */
const slow = () => secondsOfTest() + 2;

test('the panel, the guest’s page and the phone have the same figures of devices that share limits', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  const balance = await guest.panel();
  expect(balance).toMatchObject({ bytes: 7e8, bytes_today: 7e8, bytes_total: 2.7e9, devices: 2 });
  const told = await guest.phone();
  expect(told['bytes-remaining']).toBe(balance.bytes);
  const html = await guest.page();
  expect(html).toContain('700');
  for (const seconds of [told['seconds-remaining'], secondsOn(html)]) {
    expect(seconds).toBeLessThanOrEqual(balance.seconds);
    expect(seconds).toBeGreaterThan(balance.seconds - slow());
  }
});

test('a browser without the cookie sees time and data by its address, and nothing of the guest', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  const open = (address: string) => venue.captive.get(`/w/${venue.nas}/online?lang=en`, { 'x-forwarded-for': address });
  const near = await open(guest.at);
  expect(near.status).toBe(200);
  expect(near.html).toContain('<h1>You are connected</h1>');
  expect(near.html).toContain('700');
  expect(secondsOn(near.html)).toBeGreaterThan((await guest.panel()).seconds - slow());
  expect(near.html).not.toMatch(/\/(my-data|log-out|extend|buy)\b|name="voucher"/);
  expect(near.headers.getSetCookie().join()).not.toContain('portico_visit');
  // Another address, and one that two devices share.
  const unknown = 'Your visit is not shown here';
  for (const address of ['10.5.50.250', '203.0.113.9']) expect((await open(address)).html).toContain(unknown);
  venue.newMac();
  const ticket = ticketOf(await venue.submit({ username: await venue.visitor(), password: 'parola 1' }));
  await venue.routerAccepts(ticket);
  const used = { uploadBytes: 0, downloadBytes: 0 };
  await venue.routerStarts(ticket, used, { sessionId: 'same address', framedIp: guest.at });
  expect((await open(guest.at)).html).toContain(unknown);
});

test('an end that has passed leaves no time in any of them, and never less than none', async () => {
  const guest = await onTwoDevices();
  await venue.run(sql`update visitors set session_end_at = now() - interval '1 hour' where id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBe(0);
  expect(secondsOn(await guest.page())).toBe(0);
});

test('a paused visitor has no time left in any of them, and the rest of it once resumed', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  for (const [isPaused, most] of [
    [true, 0],
    [false, 7200],
  ] as const) {
    // The sessions of a paused visitor stay open until their router has ended them.
    await venue.run(sql`update visitors set blocked = ${isPaused} where id = ${guest.id}`);
    const html = await guest.page();
    const near = await venue.captive.get(`/w/${venue.nas}/online?lang=en`, { 'x-forwarded-for': guest.at });
    expect(near.html.includes('Your access is paused'), 'without the cookie').toBe(isPaused);
    const left = [(await guest.panel()).seconds, (await guest.phone())['seconds-remaining']];
    for (const seconds of isPaused ? left : [...left, secondsOn(html)]) {
      expect(seconds).toBeGreaterThanOrEqual(isPaused ? 0 : most - slow());
      expect(seconds).toBeLessThanOrEqual(most);
    }
    // Another voucher would not help.
    expect([html.includes('Your access is paused'), /data-left|name="voucher"/.test(html)]).toEqual([
      isPaused,
      !isPaused,
    ]);
  }
});

test('a paused visitor who is offline has no time left either', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  await asSystem(sql`delete from online_sessions where visitor_id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBeGreaterThan(0);
  await venue.run(sql`update visitors set blocked = true where id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBe(0);
});

test('the time of a day and in total runs between the reports, for each session', async () => {
  const hours = (value: number) => ({ is_active: true, option: 'hour', value });
  const guest = await onTwoDevices({}, { daily_duration: hours(5), total_duration: hours(20) });
  await asSystem(sql`
    update online_sessions set started_at = started_at - interval '40 seconds', updated_at = updated_at - interval '40 seconds'
    where visitor_id = ${guest.id}`);
  const { seconds, seconds_today, seconds_total } = await guest.panel();
  for (const ran of [5 * 3600 - seconds, 5 * 3600 - seconds_today, 20 * 3600 - seconds_total]) {
    expect(ran).toBeGreaterThanOrEqual(80);
    expect(ran).toBeLessThan(80 + 2 * slow());
  }
  for (const left of [(await guest.phone())['seconds-remaining'], secondsOn(await guest.page())]) {
    expect(left).toBeLessThanOrEqual(seconds);
    expect(left).toBeGreaterThan(seconds - 2 * slow());
  }
});

test('a session without reports counts for three of their intervals', async () => {
  const guest = await onTwoDevices({}, { ...shared, total_duration: limit('hour', 20) });
  await asSystem(sql`
    update online_sessions set started_at = started_at - interval '3 hours', updated_at = updated_at - interval '3 hours', interim = 60
    where visitor_id = ${guest.id}`);
  const { seconds_today, seconds_total } = await guest.panel();
  const ran = 20 * 3600 - seconds_total;
  expect(ran).toBeGreaterThanOrEqual(2 * 180);
  expect(ran).toBeLessThanOrEqual(2 * 180 + slow());
  expect(5 * 3600 - seconds_today).toBeGreaterThanOrEqual(2 * 180);
  expect(5 * 3600 - seconds_today).toBeLessThanOrEqual(ran + slow());
});

test('a visitor whose access begins later has the time of its stay, and none of it now', async () => {
  const end = inHours(30);
  const guest = await onTwoDevices({ session_end_at: end });
  const start = new Date(Date.parse(end) - 3 * 3_600_000);
  await venue.run(sql`update visitors set session_start_at = ${start} where id = ${guest.id}`);
  // Its sessions stay open until their router has ended them.
  expect((await guest.panel()).seconds).toBe(0);
  expect((await guest.phone())['seconds-remaining']).toBe(0);
  expect(secondsOn(await guest.page())).toBe(0);
  await asSystem(sql`delete from online_sessions where visitor_id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBe(3 * 3600);
});

/** Sessions are written by accounting only. */
const asSystem = (query: Sql) => venue.api.app.db.withSystem(tx => tx.run(query));

test.each([
  ['per session', { session_duration: limit('hour', 2), session_quota: limit('gb', 1) }, () => ({}), 7200, [9e8, 8e8]],
  ['per day', { daily_duration: limit('hour', 5), daily_quota: limit('gb', 1) }, () => ({}), 18_000, [7e8, 7e8]],
  ['in total', { total_duration: limit('day', 2), total_quota: limit('gb', 2) }, () => ({}), 172_800, [1.7e9, 1.7e9]],
  [
    'per session above the rest of the day',
    { session_duration: limit('hour', 9), session_quota: limit('gb', 3), daily_quota: limit('mb', 350) },
    () => ({}),
    32_400,
    [5e7, 5e7],
  ],
  [
    'per session below the end of access',
    { session_duration: limit('hour', 2) },
    () => ({ session_end_at: inHours(5) }),
    7200,
    null,
  ],
  ['until the end of access', {}, () => ({ session_end_at: inHours(1) }), 3600, null],
  [
    'of its own',
    { daily_quota: limit('gb', 1) },
    () => ({ special_profile: true, shared_user: 2, session_duration: limit('hour', 3) }),
    10_800,
    null,
  ],
  ['none', {}, () => ({}), null, null],
])('limits %s: each session in the panel has the figures of its guest, and the visitor the least', async (...of) => {
  const [, limits, more, seconds, bytes] = of;
  const guest = await onTwoDevices(more(), limits);
  const sessions = (await guest.sessions()).toReversed();
  expect(sessions).toHaveLength(2);
  for (const [n, session] of sessions.entries()) {
    const told = await guest.phone(session.client_ip!);
    expect(told['bytes-remaining'] ?? null).toBe(session.bytes_left);
    expect(session.bytes_left).toBe(bytes?.[n] ?? null);
    const shown = await guest.page(guest.pages[n]);
    const left = session.seconds_left;
    if (seconds === null) {
      expect([left, 'seconds-remaining' in told, shown.includes('data-left')]).toEqual([null, false, false]);
      continue;
    }
    expect(left).toBeGreaterThan(seconds - 2 * slow());
    expect(left).toBeLessThanOrEqual(seconds);
    for (const it of [told['seconds-remaining'], secondsOn(shown)]) {
      expect(it).toBeLessThanOrEqual(left!);
      expect(it).toBeGreaterThan(left! - slow());
    }
  }
  const balance = await guest.panel();
  const least = (values: (number | null)[]) => (values[0] === null ? null : Math.min(...values.map(Number)));
  expect(balance.bytes).toBe(least(sessions.map(it => it.bytes_left)));
  if (seconds === null) expect(balance.seconds).toBeNull();
  else {
    expect(balance.seconds).toBeLessThanOrEqual(least(sessions.map(it => it.seconds_left))!);
    expect(balance.seconds).toBeGreaterThan(seconds - 2 * slow());
  }
});

test('paid days are in the figures of the guest and of the panel', async () => {
  const guest = await onTwoDevices(
    { total_paid_day: 2 },
    { paid_sale: { is_active: true, option: 'try', value: 100 }, session_duration: limit('hour', 2) },
  );
  expect((await guest.panel()).seconds).toBeGreaterThan(7200 - slow());
  await venue.run(sql`update profiles set session_duration = ${limit('hour', 72)}
    where id = (select profile_id from visitors where id = ${guest.id})`);
  const [session] = await guest.sessions();
  const told = await guest.phone();
  for (const seconds of [session!.seconds_left, (await guest.panel()).seconds, told['seconds-remaining']]) {
    expect(seconds).toBeLessThanOrEqual(48 * 3600);
    expect(seconds).toBeGreaterThan(48 * 3600 - 2 * slow());
  }
});

test('the profile of the network counts for guests without one, in the panel too', async () => {
  const guest = await onTwoDevices({}, { session_quota: limit('gb', 1), daily_quota: limit('gb', 2) });
  const [network] = await venue.rows<{ id: string }>(sql`
    insert into networks (tenant_id, id, device_id, name, start_ip, subnet, profile_id)
    select v.tenant_id, new_id(), ${venue.device.id}, 'Lobi', '10.5.51.0', 24, v.profile_id from visitors v where v.id = ${guest.id}
    returning id`);
  await venue.run(sql`update visitors set profile_id = null where id = ${guest.id}`);
  expect(await guest.panel()).toMatchObject({ bytes: null, bytes_today: null });
  await asSystem(sql`update online_sessions set network_id = ${network!.id} where visitor_id = ${guest.id}`);
  expect(await guest.panel()).toMatchObject({ bytes: 8e8, bytes_today: 1.7e9, seconds: null });
  expect((await guest.sessions()).map(it => it.bytes_left)).toEqual([8e8, 9e8]);
  expect((await guest.phone())['bytes-remaining']).toBe(8e8);
});

test('a guest device that needs no sign-in has no limits, so none are shown', async () => {
  const guest = await onTwoDevices({}, { session_quota: limit('gb', 1), session_duration: limit('hour', 2) });
  const [visitor] = await venue.rows<{ profile_id: string }>(
    sql`select profile_id from visitors where id = ${guest.id}`,
  );
  await venue.run(sql`update locations set default_profile_id = ${visitor!.profile_id} where id = ${venue.location}`);
  await asSystem(sql`update online_sessions set visitor_id = null where visitor_id = ${guest.id}`);
  const told = await guest.phone();
  await venue.run(sql`update locations set default_profile_id = null where id = ${venue.location}`);
  expect(Object.keys(told)).not.toContain('seconds-remaining');
  expect(Object.keys(told)).not.toContain('bytes-remaining');
});

test('a day that is over on the clocks of the location gives the daily volume back, not the total', async () => {
  const guest = await onTwoDevices();
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download, seconds)
      select l.tenant_id, l.id, local_day(l.time_zone) - 1, ${guest.id}, 1, ${5e8}, 0, 60
      from locations l where l.id = ${venue.location}`),
  );
  const balance = await guest.panel();
  expect(balance).toMatchObject({ bytes_today: 7e8, bytes_total: 2.2e9 });
  expect((await guest.phone())['bytes-remaining']).toBe(7e8);
});
