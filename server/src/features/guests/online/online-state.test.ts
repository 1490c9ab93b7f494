import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { routerAt } from '#features/sessions/testing/router.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

/** What an open status page is told when the session goes on or ends, and the page after that. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1', COA_TIMEOUT: '1' });
  await venue.run(sql`update devices set hotspot_address = '10.5.50.1/24' where id = ${venue.device.id}`);
}, 120_000);
newGuestEachTest(() => venue);

const limit = (option: string, value: number) => ({ is_active: true, option, value });
let people = 0;
async function comeOnline(limits: object = {}, more: object = {}) {
  people += 1;
  const profile = await venue.create('panel/location/user-profile', {
    ...{ name: `Profil ${people}`, location_id: venue.location, ...limits },
  });
  const username = await venue.visitor({ profile_id: profile.id, ...more });
  const answer = await venue.submit({ username, password: 'parola 1' });
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  const at = { sessionId: `s${people}`, framedIp: `10.5.50.${100 + people}` };
  const bytes = { uploadBytes: 0, downloadBytes: 88_000_000 };
  await venue.routerStarts(ticket, bytes, at);
  const page = await venue.openOnline(answer, '&lang=en');
  const cookie = `${cookiesOf(answer)}; ${cookiesOf(page)}`;
  const watch = watchOf(page);
  const ask = async (headers: Record<string, string> = { cookie }) =>
    JSON.parse((await venue.captive.get(watch, headers)).html);
  return {
    ...{ page, cookie, watch, ask, username, address: at.framedIp },
    ends: (downloadBytes = 88_000_000) =>
      venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes }, { ...at, status: 'stop', sessionSeconds: 90 }),
    uses: (downloadBytes: number) =>
      venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes }, { ...at, status: 'interim', sessionSeconds: 60 }),
    /** The page that the answer names. */
    next: async (headers: Record<string, string> = { cookie }) => {
      const { to, over } = await ask(headers);
      expect([to, over]).toEqual([expect.stringContaining(`/w/${venue.nas}/online?lang=en`), true]);
      return venue.captive.get(to, headers);
    },
  };
}
const watchOf = ({ html }: PageAnswer) => /data-watch="([^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&');
const openSession = async () => {
  const { body } = await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin });
  return body.data[0].rhid as string;
};

test('a session that goes on is told with its figures', async () => {
  const guest = await comeOnline({ session_quota: limit('mb', 100), session_duration: limit('hour', 1) });
  expect(guest.page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  await guest.uses(90_000_000);
  const { seconds, ...bytes } = await guest.ask();
  expect(bytes).toEqual({ bytesLeft: 10_000_000, bytesUsed: 90_000_000 });
  expect([seconds <= 3600, seconds > 3600 - 120]).toEqual([true, true]);
});

test('an access that is nearly over leads to a page that says so', async () => {
  const guest = await comeOnline({ session_quota: limit('mb', 900) });
  await guest.uses(880_000_000);
  expect(await guest.ask()).toEqual({ to: `/w/${venue.nas}/online?lang=en&again=1`, over: false });
});

test('an end by the router leads to the end, without a reason that lasts', async () => {
  const guest = await comeOnline();
  expect(await guest.ask()).toMatchObject({ seconds: null });
  await guest.ends();
  const page = await guest.next();
  expect(page.html).toContain('<h1>Your session has ended</h1>');
  expect(page.html).toContain('Sign in again');
});

test('an end of the data leads to that reason', async () => {
  const guest = await comeOnline({ total_quota: limit('mb', 100) });
  await guest.ends(100_000_000);
  const page = await guest.next();
  expect(page.html).toContain('<h1>Your access has ended</h1>');
  expect(page.html).toContain('time or data you were given is used up');
});

test('a pause leads to the pause while the router still reports the session', async () => {
  const guest = await comeOnline();
  await venue.run(sql`update visitors set blocked = true where username = ${guest.username}`);
  expect((await guest.next()).html).toContain('<h1>Your access is paused</h1>');
});

test('an end by the staff is named, until the guest has been online again', async () => {
  const guest = await comeOnline();
  const ended = await venue.api.post('panel/onlines/selected/end', {
    token: venue.admin,
    body: { ids: [await openSession()] },
  });
  expect(ended.status, ended.text).toBe(200);
  await guest.ends();
  const page = await guest.next();
  expect(page.html).toContain('<h1>The staff ended your session</h1>');
  expect(page.html).toContain('Sign in again');
  for (const [lang, title] of [
    ['tr', 'Oturumunuzu görevliler kapattı'],
    ['ar', 'أنهى الموظفون جلستك'],
  ]) {
    const other = await venue.captive.get(`/w/${venue.nas}/online?lang=${lang}`, { cookie: guest.cookie });
    expect(other.html).toContain(`<h1>${title}</h1>`);
  }
  const again = await venue.submit({ username: guest.username, password: 'parola 1' });
  const ticket = new URL(again.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  const none = { uploadBytes: 0, downloadBytes: 0 };
  await venue.routerStarts(ticket, none, { sessionId: 'again' });
  await venue.routerStarts(ticket, none, { sessionId: 'again', status: 'stop' });
  const later = await venue.captive.get(`/w/${venue.nas}/online?lang=en`, { cookie: cookiesOf(again) });
  expect(later.html).toContain('<h1>Your session has ended</h1>');
});

test('an end long after a command of the staff is not theirs', async () => {
  const guest = await comeOnline();
  const body = { ids: [await openSession()] };
  expect((await venue.api.post('panel/onlines/selected/end', { token: venue.admin, body })).status).toBe(200);
  await venue.run(sql`update session_commands set requested_at = requested_at - interval '3 hours'`);
  await guest.ends();
  expect((await guest.next()).html).toContain('<h1>Your session has ended</h1>');
});

test('a session that goes on at another router keeps its page, until it ends there', async () => {
  const guest = await comeOnline();
  const { brand_id } = (await venue.api.get(`panel/device/${venue.device.id}`, { token: venue.admin })).body.data;
  const body = { name: 'Terrace', brand_id, mac_address: '02:00:00:00:00:02', location_id: venue.location };
  const { id } = await venue.create('panel/device', body);
  const { nas_identifier } = (await venue.api.get(`panel/device/${id}`, { token: venue.admin })).body.data;
  const terrace = await routerAt(venue.api.app, nas_identifier);
  const at = { mac: venue.mac, sessionId: 'terrace', framedIp: '10.5.51.7', uploadBytes: 0, downloadBytes: 0 };
  await terrace.reports('start', guest.username, at);
  expect((await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data).toMatchObject([
    { device: { name: 'Terrace' } },
  ]);
  for (const headers of [{ cookie: guest.cookie }, { 'x-forwarded-for': '10.5.51.7' }])
    expect((await venue.captive.get(guest.watch, headers as Record<string, string>)).status).toBe(404);
  await terrace.reports('stop', guest.username, { ...at, sessionSeconds: 90 });
  expect((await guest.next()).html).toContain('<h1>Your session has ended</h1>');
});

test('a blocked device reads that it is blocked', async () => {
  const guest = await comeOnline();
  const rule = { type: 'blocked', mac: venue.mac, name: 'Out' };
  const made = await venue.api.post(`panel/device/${venue.device.id}/macs`, { token: venue.admin, body: rule });
  expect(made.status, made.text).toBe(201);
  await guest.ends();
  expect((await guest.next()).html).toContain('<h1>This device is blocked</h1>');
});

test('a browser without the cookie is told by its address, and nothing of another guest', async () => {
  const guest = await comeOnline({ session_duration: limit('hour', 1) });
  const near = { 'x-forwarded-for': guest.address };
  const page = await venue.captive.get(`/w/${venue.nas}/online?lang=en`, near);
  expect(watchOf(page)).toBe(guest.watch);
  expect(await guest.ask(near)).toMatchObject({ bytesUsed: 88_000_000 });
  const stranger = { 'x-forwarded-for': '10.5.50.250' };
  expect((await venue.captive.get(guest.watch, stranger)).status, 'the session is open, so the page stays').toBe(404);
  await guest.ends();
  expect(await guest.ask(stranger)).toEqual({ to: `/w/${venue.nas}/online?lang=en&over=1`, over: true });
  const end = await guest.next(near);
  expect(end.html).toContain('<h1>Your session has ended</h1>');
  expect((await venue.captive.get(`/w/${venue.nas}/online?lang=en`, near)).html).toContain(
    'Your visit is not shown here',
  );
  const unknown = await venue.captive.get('/w/nosuchrouter1/online/state?lang=en', near);
  expect(unknown.status).toBe(404);
});

test('a page without script loads itself again, and counts no view of the advertisement for that', async () => {
  await venue.create(`panel/portal/${venue.portal.id}/ads`, {
    ...{ name: 'Çay', type: 'embed', embed_code: '<iframe src="https://tea.example/"></iframe>' },
  });
  const guest = await comeOnline({ session_quota: limit('mb', 900) });
  const again = /http-equiv="refresh" content="300;url=([^"]*)"/.exec(guest.page.html)![1]!.replaceAll('&amp;', '&');
  const views = async (): Promise<number> =>
    (await venue.api.get(`panel/portal/${venue.portal.id}/ads/results`, { token: venue.admin })).body.data[0].views;
  const before = await views();
  for (let times = 0; times < 2; times += 1) {
    const page = await venue.captive.get(again, { cookie: guest.cookie });
    expect(page.html).toContain('<h1>You are connected</h1>');
  }
  expect(await views()).toBe(before);
  await venue.captive.get(again.replace('&again=1', ''), { cookie: guest.cookie });
  expect(await views()).toBe(before + 1);
});
