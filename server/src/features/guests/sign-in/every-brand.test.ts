import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { formsOf, linksOf, type Page } from '@portico/simulator/browser.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import type { Body } from '#test/harness.ts';
import { browserAt, byScript, type Place, startGateways } from '../testing/gateways.ts';
import { methodCasesOf, phoneOf, smsCode } from '../testing/methods.ts';
import type { Venue } from '../testing/venue.ts';

/**
 * Each brand signs its guests in: a stand-in of the gateway, the portal and RADIUS, and a browser without script. A method knows no
 * brand, so not every pair is tried: MikroTik has all methods, and each other brand has the one with two pages and one of the rest.
 * With EVERY_PAIR=1 all pairs are tried.
 */

const slugs = drivers.map(it => it.slug);
let venue: Venue;
let placeOf: (brand: string) => Place;
let guests = 0;

beforeAll(async () => {
  ({ venue, placeOf } = await startGateways());
}, 120_000);

const methods = methodCasesOf(
  () => venue,
  () => guests,
);

const names = Object.keys(methods) as ProviderSlug[];
const onOnePage = names.filter(it => it !== 'sms');
const everyPair = process.env['EVERY_PAIR'] === '1';
const brandsOf = (method: ProviderSlug) =>
  slugs.filter(
    (brand, i) => everyPair || brand === 'mikrotik' || method === 'sms' || onOnePage[i % onOnePage.length] === method,
  );

/** Signs a new guest in; returns the page that the browser ends at. */
async function signIn(place: Place, brand: string, method: ProviderSlug, takesCookies = true): Promise<Page> {
  venue.newMac();
  guests += 1;
  const browser = browserAt(venue, place, { takesCookies });
  const hasScript = brand === 'opnsense';
  const on = (page: Page) => (hasScript && page.html.includes('/api/captiveportal/') ? byScript(browser, page) : page);

  const first = await on(await browser.open(place.start(venue.mac)));
  const form = formsOf(first).find(it => it.names.has('state'));
  expect(form, first.html).toBeDefined();
  for (const [name, value] of Object.entries(await methods[method].fields())) form!.fields.set(name, value);
  form!.fields.set('method', method);
  let page = await on(await browser.submit(form!));
  const codeForm = formsOf(page).find(it => it.names.has('code'));
  if (method === 'sms') {
    codeForm!.fields.set('code', await smsCode(venue, phoneOf(guests)));
    page = await on(await browser.submit(codeForm!));
  }
  // The form of the gateway: its button is pressed.
  const handOver = page;
  const vendorForm = formsOf(page).find(it => !it.action.startsWith('http://guests.example/'));
  if (vendorForm) {
    page = await browser.submit(vendorForm);
    // A Sophos answers with words of its own, and a link of ours leads on.
    const next = linksOf(handOver).find(it => it.includes('/online'));
    if (brand === 'sophos') page = await browser.open(next!);
  }
  return page;
}

describe.each(names)('a guest signs in by %s', method => {
  beforeAll(() => venue.offer({ slug: method, options: {} }));

  test.each(brandsOf(method))('with %s', async brand => {
    const place = placeOf(brand);
    const page = await signIn(place, brand, method);
    expect(page.html, `${page.url}: ${page.html}`).toContain('You are connected');
    expect(place.session(venue.mac)).toBeTruthy();
    expect(await sessions()).toHaveLength(1);
  });
});

// All browsers here have one address, as behind a NAT.
describe('guests whose browsers refuse cookies get online, and see no visit of another', () => {
  beforeAll(() => venue.offer({ slug: 'sms', options: {} }));

  test.each(slugs)('with %s', async brand => {
    const place = placeOf(brand);
    const page = await signIn(place, brand, 'sms', false);
    expect(page.html, `${page.url}: ${page.html}`).toContain('Your visit is not shown here');
    expect(page.html).not.toMatch(/Time left|Log out/);
    expect(place.session(venue.mac)).toBeTruthy();
    expect(await sessions()).toHaveLength(1);
  });
});

/** Accounting of a gateway arrives while its guest reads the page. */
async function sessions(): Promise<Body[]> {
  let found: Body[] = [];
  await expect
    .poll(async () => {
      found = (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
      return found.length;
    })
    .toBe(1);
  return found;
}
