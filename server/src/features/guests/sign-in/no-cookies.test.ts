import { formsOf, type Page } from '@portico/simulator/browser.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import { browserAt, byScript, type Place, startGateways } from '../testing/gateways.ts';
import { stateOf, type Venue } from '../testing/venue.ts';

/** Guests without cookies and script whom the router does not let in. They keep their place, and get in with the next try. */

const brands = drivers.filter(it => it.speaksRadius).map(it => it.slug);
const byForm = drivers.filter(it => it.form).map(it => it.slug);
/** Their documents name no error, or it needs script. So we have to know the guest again. */
const giveNoReason = ['cambium', 'fortigate', 'pfsense'];
let venue: Venue;
let placeOf: (brand: string) => Place;

beforeAll(async () => {
  ({ venue, placeOf } = await startGateways(brands));
}, 120_000);

/** The ticket of the guest who is about to bring it ends. */
const endTicket = () =>
  venue.run(
    sql`update tickets set expires_at = now() - interval '1 second' where client_mac is null or client_mac = ${venue.mac}::macaddr`,
  );

function guestOf(brand: string, takesCookies = false) {
  venue.newMac();
  const place = placeOf(brand);
  let isRefused = false;
  const browser = browserAt(venue, place, {
    takesCookies,
    onGateway: async () => void (isRefused && (await endTicket())),
  });
  const hasScript = brand === 'opnsense';
  const on = (page: Page) => (hasScript && page.html.includes('/api/captiveportal/') ? byScript(browser, page) : page);
  const formOf = (page: Page) => {
    const form = formsOf(page).find(it => it.names.has('state'));
    expect(form, `${page.url}: ${page.html}`).toBeDefined();
    return form!;
  };
  return {
    place,
    browser,
    formOf,
    refuse: (refused: boolean) => {
      isRefused = refused;
    },
    arrive: async () => on(await browser.open(place.start(venue.mac))),
    /** Sends the form of a sign-in page: to the page with the router's form, or to the end of the redirects. */
    send: async (page: Page) => {
      const form = formOf(page);
      for (const [name, value] of Object.entries({ username: await venue.visitor(), password: 'parola 1' }))
        form.fields.set(name, value);
      return on(await browser.submit({ ...form, fields: form.fields }));
    },
    /** Presses the button of the router's form, and Continue where the router answers with words of its own. */
    press: async (page: Page) => {
      const form = formsOf(page).find(it => !it.action.startsWith('http://guests.example/'));
      if (!form) return page;
      const answer = await browser.submit(form);
      return answer.html.includes('requestresponse') ? browser.open(nextOf(page)) : answer;
    },
  };
}

/** Where Continue leads, or Back after a form that script has sent. */
const nextOf = ({ url, html }: Page) =>
  new URL(
    /(?:href="([^"]*)" data-next|data-auto="([^"]+)")/.exec(html)!.slice(1).find(Boolean)!.replaceAll('&amp;', '&'),
    url,
  ).href;

describe.each(brands)('a guest of %s without cookies', brand => {
  test('gets in with the second try after a refusal by the router', async () => {
    const guest = guestOf(brand);
    guest.refuse(true);
    const refused = await guest.press(await guest.send(await guest.arrive()));
    expect(guest.place.session(venue.mac)).toBeFalsy();
    expect(refused.html, refused.url).toContain('role="alert"');
    guest.refuse(false);
    await guest.press(await guest.send(refused));
    expect(guest.place.session(venue.mac)).toBeTruthy();
  });
});

test.each(giveNoReason)('a guest of %s without cookies is told the reason, and no other guest is', async brand => {
  const guest = guestOf(brand);
  guest.refuse(true);
  const refused = await guest.press(await guest.send(await guest.arrive()));
  expect(refused.html, refused.url).toContain('That took too long');
  const arrival = guest.place.start(venue.mac);
  const other = browserAt(venue, guest.place, { takesCookies: false, userAgent: 'Another phone' });
  expect((await other.open(arrival)).html).not.toContain('role="alert"');
  guest.refuse(false);
  // The arrival of the other one has begun a new visit at the gateway.
  await guest.press(await guest.send(await guest.arrive()));
  expect(guest.place.session(venue.mac)).toBeTruthy();
  expect((await guest.arrive()).html, 'once the guest was let in').not.toContain('role="alert"');
  venue.newMac();
  expect((await guest.arrive()).html, 'another device').not.toContain('role="alert"');
});

describe.each([...byForm, 'opnsense'])('the link of a guest of %s', brand => {
  test('signs in the guest only, and not another phone that opens it', async () => {
    const guest = guestOf(brand);
    // The ticket of OPNsense is in the address of the page that leads on.
    const browser = browserAt(venue, guest.place, { takesCookies: false });
    const arrival = await browser.open(guest.place.start(venue.mac));
    const page = brand === 'opnsense' ? await byScript(browser, arrival) : arrival;
    const form = guest.formOf(page);
    const fields = { username: await venue.visitor(), password: 'parola 1', plain: '1' };
    for (const [name, value] of Object.entries(fields)) form.fields.set(name, value);
    const answer = await fetch(`${venue.captive.url}${new URL(form.action).pathname}`, {
      ...{ method: 'POST', body: form.fields, redirect: 'manual' },
      headers: { host: 'guests.example', 'user-agent': 'Phone', origin: 'http://guests.example' },
    });
    const link = new URL(answer.headers.get('location')!, 'http://guests.example').href;
    expect(link).toContain('to=');

    const stranger = browserAt(venue, guest.place, { takesCookies: false, userAgent: 'Another phone' });
    const seen = await stranger.open(link);
    expect(formsOf(seen).some(it => !it.action.startsWith('http://guests.example/'))).toBe(false);
    expect(new URL(seen.url).hostname).toBe('guests.example');
    expect(seen.html).toContain('<h1');
    const own = await browser.open(link);
    if (brand === 'opnsense') await byScript(browser, own);
    else await guest.press(own);
    expect(guest.place.session(venue.mac)).toBeTruthy();
  });
});

describe.each(byForm)('a guest of %s without cookies', brand => {
  test('who has not pressed Connect yet is told, and can', async () => {
    const guest = guestOf(brand);
    const page = await guest.browser.open(nextOf(await guest.send(await guest.arrive())));
    expect(page.html, page.url).toContain('Not connected yet');
    expect((await guest.browser.open(nextOf(page))).html).toContain('Not connected yet');
    await guest.press(page);
    expect(guest.place.session(venue.mac)).toBeTruthy();
  });

  test('who has waited too long is told, and signs in again', async () => {
    const guest = guestOf(brand);
    const page = await guest.send(await guest.arrive());
    await endTicket();
    const over = await guest.browser.open(nextOf(page));
    expect(over.html, over.url).toContain('That took too long');
    await guest.press(await guest.send(over));
    expect(guest.place.session(venue.mac)).toBeTruthy();
  });
});

test.each(giveNoReason)('a guest of %s with cookies is told once why RADIUS has refused its ticket', async brand => {
  const guest = guestOf(brand, true);
  guest.refuse(true);
  const arrive = () => guest.browser.open(guest.place.start(venue.mac));
  const refused = await guest.press(await guest.send(await arrive()));
  expect(refused.html, refused.url).toContain('That took too long');
  expect((await arrive()).html).not.toContain('That took too long');
});

test('the link of another guest of Sophos gives no browser that guest’s pseudo MAC', async () => {
  const guest = guestOf('sophos');
  const page = await guest.send(await guest.arrive());
  await endTicket();
  const macIn = ({ html }: Page) => JSON.parse(Buffer.from(stateOf(html).split('.')[0]!, 'base64url').toString())[1];
  const to = new URL(nextOf(page)).searchParams.get('to')!;
  const own = JSON.parse(Buffer.from(to.split('.')[0]!, 'base64url').toString())[1];
  const seen = await guest.browser.open(nextOf(page));
  expect(seen.html).toContain('That took too long');
  expect(macIn(seen)).toMatch(/^.[37BF]:/);
  expect(macIn(seen)).not.toBe(own);
});
