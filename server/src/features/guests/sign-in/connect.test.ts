import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { PageAnswer } from '../testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const silent = '<h1>The Wi-Fi does not answer</h1>';
const retryOf = (html: string) => /href="(\/w\/\w+\/connect\?n=1[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
const routerOf = (html: string) =>
  /href="(http:\/\/10\.5\.50\.1\/login\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
const leadsOn = (html: string) => /<meta http-equiv="refresh" content="0;url=http:\/\/10\.5\.50\.1\/login/i.test(html);
const ticketOf = (address: string) => new URL(address).searchParams.get('username')!;
const location = (answer: PageAnswer) => answer.headers.get('location')!;

async function signIn(more: Record<string, string> = {}): Promise<PageAnswer> {
  await venue.offer({ slug: 'username' });
  const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1', lang: 'en', ...more });
  expect(answer.status, answer.html).toBe(303);
  return answer;
}

test('a guest who comes back from a router that did not answer is told so, and tries again with the same ticket', async () => {
  const answer = await signIn();
  const to = location(answer);
  expect(to).toMatch(/^http:\/\/10\.5\.50\.1\/login\?/);
  const cookie = cookiesOf(answer);
  for (const more of [{}, { step: 'form', problem: 'wrong_credentials' }]) {
    const back = await venue.captive.get(venue.arrival({ lang: 'en', ...more }), { cookie });
    expect(back.status).toBe(200);
    expect(back.html).toContain('<b>The Wi-Fi does not answer</b>');
    expect(back.html).toContain('name="username"');
    expect(leadsOn(back.html)).toBe(false);
  }
  const back = await venue.captive.get(venue.arrival({ lang: 'tr' }), { cookie });
  expect(back.html).toContain('Wi-Fi ağı yanıt vermiyor');
  const retry = retryOf(back.html)!;
  const page = await venue.captive.get(retry, { cookie });
  expect(leadsOn(page.html)).toBe(true);
  expect(routerOf(page.html)).toBe(to);
  const again = { cookie: `${cookie}; ${cookiesOf(page)}`.replace(/portico_visit=[^;]*; /, '') };
  expect(leadsOn((await venue.captive.get(retry, again)).html)).toBe(false);
  expect(await venue.routerAccepts(ticketOf(to))).toMatchObject({ outcome: 'accept' });
  // The router has answered now.
  expect(retryOf((await venue.captive.get(venue.arrival({ lang: 'en' }), { cookie })).html)).toBeUndefined();
  expect(location(await venue.captive.get(retry, again))).toMatch(/\/online\?new=1/);
});

test('a browser without script gets a page that leads to the router, and stays while nothing answers', async () => {
  const answer = await signIn({ plain: '1' });
  expect(location(answer)).toMatch(/^\/w\/\w+\/connect\?n=1&lang=en&to=/);
  const page = await venue.captive.get(location(answer), { cookie: cookiesOf(answer) });
  expect(page.status).toBe(200);
  expect(leadsOn(page.html)).toBe(true);
  expect(page.html).toContain('The Wi-Fi does not answer');
  // Its Back button leads here too, or to the sign-in page.
  const back = await venue.captive.get(location(answer), { cookie: cookiesOf(page) });
  expect(leadsOn(back.html)).toBe(false);
  expect(back.html).toContain(silent);
  const form = await venue.captive.get(`/w/${venue.nas}/connect?form=1&lang=en`, { cookie: cookiesOf(page) });
  const signInAgain = await venue.captive.get(location(form), { cookie: cookiesOf(form) });
  expect(signInAgain.html).toContain('name="username"');
  expect(await venue.routerAccepts(ticketOf(routerOf(page.html)!))).toMatchObject({ outcome: 'accept' });
});

test('a browser without script that refuses cookies gets to the router all the same', async () => {
  const answer = await signIn({ plain: '1' });
  const direct = await venue.captive.get(location(answer), {});
  expect(direct.status).toBe(303);
  expect(await venue.routerAccepts(ticketOf(location(direct)))).toMatchObject({ outcome: 'accept' });
  expect(location(direct)).toMatch(/^http:\/\/10\.5\.50\.1\/login\?/);
  // The address is signed for this device.
  for (const changed of [location(answer).replace('to=', 'to=x'), location(answer).replace(/\w(?=\.)/, '_')])
    expect(location(await venue.captive.get(changed, {}))).toMatch(/\/online\?new=1/);
});

test('another language is chosen on the page without giving the ticket up', async () => {
  const answer = await signIn();
  const cookie = cookiesOf(answer);
  const arrived = await venue.captive.get(venue.arrival({ lang: 'en' }), { cookie });
  const page = await venue.captive.get(retryOf(arrived.html)!, { cookie });
  const shown = { cookie: `${cookie}; ${cookiesOf(page)}`.replace(/portico_visit=[^;]*; /, '') };
  const back = await venue.captive.get(retryOf(arrived.html)!, shown);
  expect(back.html).toContain(silent);
  const link = /href="(\/w\/\w+\/connect\?[^"]*lang=tr)"/.exec(back.html)![1]!.replaceAll('&amp;', '&');
  const turkish = await venue.captive.get(link, shown);
  expect(turkish.html).toContain('Wi-Fi ağı yanıt vermiyor');
  expect(leadsOn(turkish.html)).toBe(false);
});

test('a ticket that is over leads to the sign-in page', async () => {
  const answer = await signIn({ plain: '1' });
  const cookie = cookiesOf(answer);
  await venue.run(sql`update tickets set expires_at = now() - interval '1 second' where used_at is null`);
  const over = await venue.captive.get(location(answer), { cookie });
  expect(location(over)).toMatch(/step=form&problem=ticket_over/);
  expect((await venue.captive.get(venue.arrival(), { cookie })).html).toContain('name="username"');
});

test('the page says nothing to others: without the cookie, with a forged one, or at another device', async () => {
  const cookie = cookiesOf(await signIn({ plain: '1' }));
  const [name, value] = cookie.split('portico_visit=') as [string, string];
  const [payload, signature] = value.split(';')[0]!.split('.') as [string, string];
  const packed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
  (packed[6] as { out: { to: string } }).out.to = 'https://evil.example/';
  const forged = `${name}portico_visit=${Buffer.from(JSON.stringify(packed)).toString('base64url')}.${signature}`;
  for (const headers of [{}, { cookie: forged }, { cookie: 'portico_visit=x' }]) {
    const answer = await venue.captive.get(`/w/${venue.nas}/connect?n=1`, headers);
    expect(location(answer)).toMatch(/^\/w\/\w+\/online\?new=1/);
  }
  for (const turn of ['', '-1', '1e9', '%00', '1&n=2', '99999999999999999999']) {
    const answer = await venue.captive.get(`/w/${venue.nas}/connect?n=${turn}`, { cookie });
    expect(answer.status, turn).toBe(200);
  }
  const elsewhere = await venue.captive.get('/w/nosuchdevice/connect?n=1', { cookie });
  expect([303, 404]).toContain(elsewhere.status);
  venue.newMac();
  expect(retryOf((await venue.captive.get(venue.arrival(), { cookie })).html)).toBeUndefined();
});
