import { createSocket } from 'node:dgram';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { routerAt } from '#features/sessions/testing/router.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { login, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
/** The venue's router for Disconnect-Requests; an obedient one reports the session's end. */
const router = createSocket('udp4');
let obeys = true;
const asked: Buffer[] = [];
let open: { mac: string; ticket: string }[] = [];

beforeAll(async () => {
  // The router reports the end of a session within this time, for which a busy machine may need some seconds.
  venue = await startVenue({ COA_TIMEOUT: '5', TRUST_PROXY: '127.0.0.1' });
  await new Promise<void>(resolve => router.bind(0, '127.0.0.1', resolve));
  router.on('message', packet => {
    asked.push(packet);
    const ended = obeys && open.find(it => packet.includes(it.ticket));
    if (ended) void stop(ended);
  });
  await venue.run(sql`update devices set coa_port = ${router.address().port}, last_address = '127.0.0.1'`);
}, 120_000);
afterAll(() => void router.close());
newGuestEachTest(() => venue);

async function stop({ mac, ticket }: { mac: string; ticket: string }): Promise<void> {
  const gateway = await routerAt(venue.api.app, venue.nas);
  await gateway.reports('stop', ticket, { mac, sessionSeconds: 9 });
}

const ticketOf = (answer: PageAnswer) => new URL(answer.headers.get('location')!).searchParams.get('username')!;

/** A visitor who is online on the only allowed device, and arrives with another. */
async function onTwoDevices() {
  const username = await venue.visitor({ special_profile: true, shared_user: 1 });
  const first = venue.mac;
  const ticket = ticketOf(await venue.submit({ username, password: 'parola 1' }));
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 });
  open = [{ mac: first, ticket }];
  venue.newMac();
  const page = await venue.submit({ username, password: 'parola 1' });
  const radio = /<input[^>]*name="session"[^>]*>/.exec(page.html)?.[0] ?? '';
  const session = /value="([^"]*)"/.exec(radio)?.[1] ?? '';
  return { first, page, session };
}
const makeRoom = (page: PageAnswer, session: string, at = venue.nas) =>
  venue.captive.form(`/w/${at}/make-room`, { state: stateOf(page.html), lang: 'en', session });

describe('a guest with too many devices', () => {
  test('ends one of its own sessions and is admitted', async () => {
    obeys = true;
    const { page, session, first } = await onTwoDevices();
    expect(page.status).toBe(403);
    expect(page.html).toContain('Your other devices');
    expect(page.html).toContain(`${first.slice(0, 5)}:••:••:••:${first.slice(-2)}`);
    expect(page.html).not.toContain(first);
    const answer = await makeRoom(page, session);
    expect(answer.status, answer.html.slice(-900)).toBe(303);
    expect((await venue.routerAccepts(ticketOf(answer))).outcome).toBe('accept');
    const commands = await venue.rows(
      sql`select reason, state from session_commands order by requested_at desc limit 1`,
    );
    expect(commands).toEqual([{ reason: 'guest', state: 'confirmed' }]);
    expect((await venue.failures())[0].provider_slug).toBe('username');
  });

  test('makes room in its own browser only, also if that refuses cookies', async () => {
    const { session } = await onTwoDevices();
    const username = await venue.visitor({ special_profile: true, shared_user: 1 });
    expect(session).not.toBe('');
    const ticket = ticketOf(await venue.submit({ username, password: 'parola 1' }));
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 });
    venue.newMac();
    const page = await venue.captive.get(venue.arrival());
    const form = { state: stateOf(page.html), lang: 'en', method: 'username', username, password: 'parola 1' };
    const answer = await venue.captive.post(venue.signInAt, form, { 'user-agent': 'Phone' });
    const address = answer.headers.get('location')!;
    expect(address).toContain('kept=');
    const seenBy = async (userAgent: string) => (await venue.captive.get(address, { 'user-agent': userAgent })).html;
    expect(await seenBy('Phone')).toContain('Your other devices');
    expect(await seenBy('Another phone')).not.toContain('Your other devices');
  });

  test('sees that the other device stays online when its router does not answer', async () => {
    obeys = false;
    const { settings } = venue.api.app;
    const { COA_TIMEOUT } = settings;
    Object.assign(settings, { COA_TIMEOUT: 1 });
    onTestFinished(() => void Object.assign(settings, { COA_TIMEOUT }));
    const { page, session } = await onTwoDevices();
    const answer = await makeRoom(page, session);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('That device could not be disconnected');
    expect(answer.html).toContain('Your other devices');
  });

  test('cannot end another visitor’s session, or any session without a sign-in', async () => {
    obeys = true;
    const mine = await onTwoDevices();
    venue.newMac();
    const other = await onTwoDevices();
    const before = asked.length;
    const stolen = await makeRoom(other.page, mine.session);
    expect(stolen.html).toContain('Your other devices');
    for (const session of ['', 'x', '00000000-0000-4000-8000-000000000000'])
      expect((await makeRoom(other.page, session)).status).toBe(403);
    const plain = await venue.captive.get(venue.arrival());
    expect((await makeRoom(plain, mine.session)).status).toBe(400);
    expect((await makeRoom(other.page, other.session, 'nosuchrouter1')).status).toBe(400);
    expect(asked.length).toBe(before);
  });
});

describe('the Captive Portal API (RFC 8908)', () => {
  const ask = (query = '', headers: Record<string, string> = {}) =>
    venue.captive.get(`/captive/${venue.nas}${query}`, headers);
  beforeAll(() => venue.run(sql`update devices set hotspot_address = '10.5.50.1/24' where id = ${venue.device.id}`));

  test('tells a phone where to sign in, and then what it has left', async () => {
    const at = '10.5.50.60';
    const askHere = async (query = '') => JSON.parse((await ask(query, { 'x-forwarded-for': at })).html);
    const portal = `http://guests.example/w/${venue.nas}`;
    const unnamed = await ask('', { 'x-forwarded-for': at });
    expect(unnamed.headers.get('content-type')).toBe('application/captive+json');
    expect(unnamed.headers.get('cache-control')).toBe('private, no-store');
    const link = `${portal}?step=router`;
    expect(JSON.parse(unnamed.html)).toEqual({ captive: true, 'user-portal-url': link, 'venue-info-url': link });
    const through = await venue.captive.get(new URL(link).pathname + new URL(link).search);
    expect([through.status, through.headers.get('location')]).toEqual([303, login]);
    expect((await venue.captive.get('/w/nosuchrouter1?step=router')).status).toBe(404);
    const known = await askHere(`?mac=${venue.mac.toLowerCase().replaceAll(':', '-')}&ip=${at}`);
    const page = new URL(known['user-portal-url']);
    expect(page.searchParams.get('login')).toBe(login);
    const signIn = await venue.captive.get(page.pathname + page.search);
    expect(signIn.html).toContain('name="username"');

    const username = await venue.visitor({
      special_profile: true,
      session_duration: { is_active: true, option: 'hour', value: 2 },
    });
    const signedIn = await venue.submit({ username, password: 'parola 1' });
    const ticket = ticketOf(signedIn);
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { framedIp: at });
    const online = await askHere();
    expect(online).toMatchObject({
      captive: false,
      'can-extend-session': false,
      'venue-info-url': `${portal}/online`,
    });
    // Its window may lack the cookie without which the status page knows no visit.
    const own = new URL(online['user-portal-url']);
    expect((await venue.captive.get(own.pathname + own.search)).html).toContain('name="username"');
    const cookie = signedIn.headers.getSetCookie().find(it => it.startsWith('portico_visit='))!;
    const openOwn = async () =>
      (await venue.captive.get(own.pathname + own.search, { cookie })).headers.get('location');
    expect(await openOwn()).toBe(`/w/${venue.nas}/online`);
    await venue.offer({ slug: 'username' }, { slug: 'voucher' });
    expect((await askHere())['can-extend-session'], 'with vouchers, and much left').toBe(false);
    const endsIn = (minutes: number) =>
      venue.run(sql`
        update visitors set session_end_at = now() + make_interval(mins => ${minutes}) where username = ${username}`);
    await endsIn(10);
    expect((await askHere())['can-extend-session'], 'with vouchers, and little left').toBe(true);
    await endsIn(120);
    await venue.offer({ slug: 'username' });
    expect(online['seconds-remaining']).toBeGreaterThan(7000);
    expect(online['seconds-remaining']).toBeLessThanOrEqual(7200);
    const block = { mac: venue.mac, type: 'blocked', comment: '' };
    await venue.create(`panel/device/${venue.device.id}/macs`, block);
    expect((await askHere()).captive).toBe(true);
  });

  test('identifies a phone by its address while only one device is online there', async () => {
    const isCaptive = async (address: string) => {
      const answer = await ask('', { 'x-forwarded-for': address });
      return answer.status === 404 ? undefined : (JSON.parse(answer.html).captive as boolean);
    };
    const comeOnline = async (sessionId: string) => {
      const ticket = ticketOf(await venue.submit({ username: await venue.visitor(), password: 'parola 1' }));
      await venue.routerAccepts(ticket);
      const at = { sessionId, framedIp: '10.5.50.77' };
      await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, at);
    };
    expect(await isCaptive('10.5.50.77')).toBe(true);
    await comeOnline('alone');
    expect(await isCaptive('10.5.50.77')).toBe(false);
    expect(await isCaptive('10.5.50.78'), 'another guest').toBe(true);
    // A guest behind the router's NAT may be online.
    expect(await isCaptive('203.0.113.7'), 'anybody').toBeUndefined();
    venue.newMac();
    await comeOnline('second');
    expect(await isCaptive('10.5.50.77'), 'two devices with one address').toBeUndefined();
  });

  test('identifies a phone by its cookie, and accepts malformed input', async () => {
    await venue.offer({ slug: 'username', options: { remember: 'cookie' } });
    const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
    await venue.routerAccepts(ticketOf(answer));
    await venue.routerStarts(ticketOf(answer), { uploadBytes: 0, downloadBytes: 0 });
    const cookie = answer.headers.getSetCookie().find(it => it.startsWith('portico_guest_'))!;
    expect(JSON.parse((await ask('', { cookie })).html).captive).toBe(false);
    for (const query of ['?mac=%00&ip=%00', '?mac=a&mac=b', `?mac=${'A'.repeat(5000)}`])
      expect((await ask(query, { 'x-forwarded-for': '10.5.50.4' })).status).toBe(200);
    expect((await venue.captive.get('/captive/nosuchrouter1')).status).toBe(404);
  });

  test('leads through a router whose own address is unknown', async () => {
    const at = '10.5.50.61';
    const headers = { 'x-forwarded-for': at };
    const portal = `http://guests.example/w/${venue.nas}`;
    const [known] = await venue.rows(sql`select hotspot_address as address from devices where id = ${venue.device.id}`);
    onTestFinished(async () => {
      await venue.run(sql`update devices set hotspot_address = ${known!['address']} where id = ${venue.device.id}`);
    });
    await venue.run(sql`update devices set hotspot_address = null where id = ${venue.device.id}`);
    const ticket = ticketOf(await venue.submit({ username: await venue.visitor(), password: 'parola 1' }));
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { framedIp: at });
    const online = JSON.parse((await ask('', headers)).html);
    expect(online).toMatchObject({ captive: false, 'user-portal-url': `${portal}/online` });
    await venue.create(`panel/device/${venue.device.id}/macs`, { mac: venue.mac, type: 'blocked', comment: '' });
    const blocked = JSON.parse((await ask('', headers)).html);
    const through = `http://guests.example/o/${venue.nas}`;
    const both = { 'user-portal-url': through, 'venue-info-url': through };
    expect(blocked).toMatchObject({ captive: true, ...both });
    expect((await venue.captive.get(new URL(through).pathname)).headers.get('location')).toMatch(/^http:/);
  });
});

test('a guest whom the router never reports online gets a page that says so', async () => {
  const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
  expect((await venue.openOnline(answer)).html).toMatch(/data-refresh="[^"]*\?new=1&amp;n=1&amp;lang=en"/);
  const away = await venue.openOnline(answer, '&n=9');
  expect([away.status, away.html.includes('The router has not let you in')]).toEqual([503, true]);
});
