import { localClock } from '@portico/contract/period-days.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import { farZones } from '#test/far-zones.ts';
import type { Body } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';
import { comeOnline } from './testing/come-online.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf } from './testing/venue.ts';

let venue: Awaited<ReturnType<typeof startVenue>>;
let evening: Body;
let elsewhere: Body;
beforeAll(async () => {
  venue = await startVenue();
  await moveTo(zone);
  evening = await venue.create('panel/portal', { name: 'Evening', location_id: venue.location });
  const other = await venue.create('panel/location', { name: 'Elsewhere' });
  elsewhere = await venue.create('panel/portal', { name: 'Foreign', location_id: other.id });
  await venue.update(`panel/portal/${venue.portal.id}`, { messages: { welcome_message_title: { en: 'By day' } } });
  await venue.update(`panel/portal/${evening.id}`, {
    messages: { welcome_message_title: { en: 'By night' } },
    providers: [{ slug: 'voucher', order: 0, is_active: true }],
  });
}, 120_000);
newGuestEachTest(() => venue);

/** Where no day ends while a test runs. */
const zone = zoneAtNoon();
const moveTo = (place: string) =>
  venue.run(sql`update locations set time_zone = ${place} where id = ${venue.location}`);
const today = () => localClock(zone).slice(0, 10);
const daysFrom = (days: number) =>
  new Date(Date.parse(`${today()}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const at = (kind: 'location' | 'device') =>
  kind === 'location' ? `panel/location/${venue.location}` : `panel/device/${venue.device.id}`;
const put = (kind: 'location' | 'device', portal_periods: object[]) =>
  venue.api.put(at(kind), { token: venue.admin, body: { portal_periods } });
const plan = async (kind: 'location' | 'device', ...periods: object[]) => {
  const answer = await put(
    kind,
    periods.map(it => ({ portal_id: evening.id, ...it })),
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const title = async () => {
  const { html } = await venue.captive.get(venue.arrival({ lang: 'en' }));
  return /By (day|night)/.exec(html)?.[0];
};

describe('a period with another portal', () => {
  test('is shown on its days, weekdays and hours, by the clocks of the location', async () => {
    const weekday = new Date(`${today()}T00:00Z`).getUTCDay() || 7;
    for (const [period, expected] of [
      [{ starts_on: today(), ends_on: today() }, 'By night'],
      [{ starts_on: daysFrom(1) }, 'By day'],
      [{ ends_on: daysFrom(-1) }, 'By day'],
      [{ weekdays: [weekday] }, 'By night'],
      [{ weekdays: [(weekday % 7) + 1] }, 'By day'],
      [{ from_time: '00:00', to_time: '23:59' }, 'By night'],
      [{ starts_on: today(), from_time: '23:59', to_time: '23:58' }, 'By day'],
      [{ ends_on: daysFrom(-1), from_time: '23:59', to_time: '23:58' }, 'By night'],
    ] as const) {
      await plan('location', period);
      expect(await title(), JSON.stringify(period)).toBe(expected);
    }
    const { ahead, behind } = farZones();
    const there = localClock(behind).slice(0, 10);
    await plan('location', { starts_on: there, ends_on: there });
    await moveTo(ahead);
    expect(await title()).toBe('By day');
    await moveTo(behind);
    expect(await title()).toBe('By night');
    await moveTo(zone);
    await plan('location');
    expect(await title()).toBe('By day');
  });

  test('of a device comes before those of the location; both are told with their portal', async () => {
    const third = await venue.create('panel/portal', { name: 'Third', location_id: venue.location });
    await venue.update(`panel/portal/${third.id}`, { messages: { welcome_message_title: { en: 'By nightingale' } } });
    await plan('location', { starts_on: today(), portal_id: third.id });
    const device = await plan('device', { starts_on: today() });
    expect(await title()).toBe('By night');
    expect(device.portal_periods).toMatchObject([{ portal: { id: evening.id, name: 'Evening' }, starts_on: today() }]);
    expect(device.location_portal).toMatchObject({
      portal: { name: 'Lobby' },
      periods: [{ portal: { name: 'Third' } }],
    });
    const { data } = (await venue.api.get('panel/portal', { token: venue.admin })).body;
    const periodsOf = (id: string) => data.find((it: Body) => it.id === id).periods;
    expect(periodsOf(evening.id)).toMatchObject([{ location: { id: venue.location }, device: { name: 'Router' } }]);
    expect(periodsOf(third.id)).toMatchObject([{ location: { time_zone: zone }, device: null, starts_on: today() }]);
    // A period whose portal is gone shows nothing, and does not stand in the way.
    expect((await venue.api.delete(`panel/portal/${third.id}`, { token: venue.admin })).status).toBeLessThan(300);
    await plan('device');
    expect(await title()).toBe('By day');
    const location = (await venue.api.get(at('location'), { token: venue.admin })).body.data;
    expect(location.portal_periods).toEqual([]);
    await plan('location');
  });

  test('leads to the link and the frame of its advertisements, in a period of the location and of a device', async () => {
    const ads = `panel/portal/${evening.id}/ads`;
    const body = fileForm(await picture(), { collection: 'advertisement' });
    const { url } = (await venue.api.post(`panel/portal/${evening.id}/image`, { token: venue.admin, body })).body.data;
    const link = 'https://night.example/';
    const linked = await venue.create(ads, { name: 'Night', type: 'image', images: [url], link });
    const embed_code = '<iframe src="https://night.example/1"></iframe>';
    const framed = await venue.create(ads, { name: 'Film', type: 'embed', embed_code });
    const [online, browser] = await comeOnline(venue);
    const opened = async () => {
      const answer = await venue.captive.get(`/w/${venue.nas}/ad/${linked.id}/open`, browser);
      return answer.headers.get('location');
    };
    const frame = async () => (await venue.captive.get(`/w/${venue.nas}/ad/${framed.id}`)).status;
    for (const kind of ['location', 'device'] as const) {
      await plan(kind, { starts_on: today() });
      const page = await venue.captive.get(online, browser);
      expect(page.html, kind).toMatch(new RegExp(`/w/${venue.nas}/ad/(${linked.id}/open|${framed.id})"`));
      expect([await opened(), await frame()], kind).toEqual([link, 200]);
      await plan(kind);
      expect([await opened(), await frame()], kind).toEqual([null, 404]);
    }
    for (const { id } of [linked, framed]) await venue.api.delete(`${ads}/${id}`, { token: venue.admin });
  });

  test('is told in the order in which it was saved', async () => {
    const days = [daysFrom(3), daysFrom(1), daysFrom(2)];
    await plan('location', ...days.map(day => ({ starts_on: day, ends_on: day })));
    const location = (await venue.api.get(at('location'), { token: venue.admin })).body.data;
    expect(location.portal_periods.map((it: Body) => it.starts_on)).toEqual(days);
    await plan('location');
  });

  test('is refused with its field if it overlaps, is incomplete, or its portal is of others', async () => {
    await plan('location', { weekdays: [1] });
    const before = (await venue.api.get(at('location'), { token: venue.admin })).body.data.portal_periods;
    for (const kind of ['location', 'device'] as const)
      for (const [periods, field] of [
        [[{}], 'portal_periods.0.starts_on'],
        [[{ weekdays: [1] }, { weekdays: [1, 2] }], 'portal_periods.1.weekdays'],
        [[{ weekdays: [1] }, { from_time: '08:00', to_time: '09:00' }], 'portal_periods.1.from_time'],
        [[{ starts_on: '2026-12-02', ends_on: '2026-12-01' }], 'portal_periods.0.ends_on'],
        [[{ weekdays: [8] }], 'portal_periods.0.weekdays'],
        [[{ starts_on: '0000-01-01' }], 'portal_periods.0.starts_on'],
        [[{ ends_on: '0000-12-31' }], 'portal_periods.0.ends_on'],
        [[{ from_time: '25:00', to_time: '26:00' }], 'portal_periods.0.from_time'],
        [[{ weekdays: [1], portal_id: elsewhere.id }], 'portal_periods.0.portal_id'],
        [[{ weekdays: [1], portal_id: venue.location }], 'portal_periods.0.portal_id'],
        [Array.from({ length: 21 }, (_, i) => ({ starts_on: daysFrom(i), ends_on: daysFrom(i) })), 'portal_periods'],
      ] as const) {
        const answer = await put(
          kind,
          periods.map(it => ({ portal_id: evening.id, ...it })),
        );
        expect(answer.status, field).toBe(422);
        expect(Object.keys(answer.body.errors)[0], answer.text).toBe(field);
      }
    expect((await venue.api.get(at('location'), { token: venue.admin })).body.data.portal_periods).toEqual(before);
    await plan('location');
  });
});

describe('a guest in the middle of a sign-in', () => {
  test('keeps the page on which it has begun, also after a mistake; the next guest gets the other', async () => {
    await venue.offer({ slug: 'username' });
    // A location that plans something, which does not run yet.
    await plan('location', { starts_on: daysFrom(1) });
    const page = await venue.captive.get(venue.arrival({ lang: 'en' }));
    expect(page.html).toContain('By day');
    const username = await venue.visitor();
    // Now it begins: its portal has no user names.
    await plan('location', { starts_on: today() });
    const send = (password: string, html: string, cookie = '') =>
      venue.captive.post(
        venue.signInAt,
        { state: stateOf(html), method: 'username', username, password, lang: 'en' },
        cookie ? { cookie } : {},
      );
    const wrong = await send('wrong', page.html);
    const cookie = wrong.headers
      .getSetCookie()
      .map(it => it.split(';')[0]!)
      .join('; ');
    const again = await venue.captive.get(wrong.headers.get('location')!, { cookie });
    expect(again.html).toContain('By day');
    expect(again.html).toContain('Wrong username or password');
    const right = await send('parola 1', again.html, cookie);
    expect(right.headers.get('location')).toContain('http://10.5.50.1/login');
    venue.newMac();
    expect(await title()).toBe('By night');
    // A portal that the location does not show any more is not kept.
    await venue.update(at('location'), { portal_id: evening.id });
    const late = await send('parola 1', page.html);
    const shown = await venue.captive.get(late.headers.get('location')!);
    expect(shown.html).not.toContain('By day');
    await venue.update(at('location'), { portal_id: venue.portal.id, portal_periods: [] });
  });

  test('keeps the page with another language or method open', async () => {
    await venue.offer({ slug: 'username' }, { slug: 'voucher' });
    await plan('location', { starts_on: daysFrom(1) });
    const state = stateOf((await venue.captive.get(venue.arrival({ lang: 'en' }))).html);
    await plan('location', { starts_on: today() });
    for (const go of ['en', 'voucher']) {
      const answer = await venue.captive.post(venue.signInAt, { state, go, lang: 'en' });
      const cookie = cookiesOf(answer);
      const page = await venue.captive.get(answer.headers.get('location')!, { cookie });
      expect(page.html, go).toContain('By day');
    }
    await venue.update(at('location'), { portal_periods: [] });
  });

  test('cannot choose a portal by a state that it makes up', async () => {
    await plan('location', { starts_on: daysFrom(1) });
    const page = await venue.captive.get(venue.arrival({ lang: 'en' }));
    const [payload = '', signature] = stateOf(page.html).split('.');
    const packed = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(packed[7]).toBe(venue.portal.id);
    packed[7] = evening.id;
    const forged = `${Buffer.from(JSON.stringify(packed)).toString('base64url')}.${signature}`;
    const answer = await venue.captive.post(venue.signInAt, {
      state: forged,
      method: 'voucher',
      voucher: 'x',
      lang: 'en',
    });
    expect(answer.headers.get('location') ?? '').toContain('page_expired');
    await plan('location');
  });
});
