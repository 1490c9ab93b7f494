import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { methodCasesOf, smsCode } from '#features/guests/testing/methods.ts';
import { startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { startFragileDatabase } from './fragile-database.ts';

/*
 * The database goes away while a guest signs in, at each message of the sign-in in turn. The guest reads that it should try
 * again, and the same form, pressed again, signs it in: no code and no voucher is lost.
 */
let venue: Venue;
let database: Awaited<ReturnType<typeof startFragileDatabase>>;
beforeAll(async () => {
  database = await startFragileDatabase();
  venue = await startVenue({ DATABASE_URL: database.url });
  await venue.run(sql`update locations set sms_limit = 100000`);
}, 120_000);

let guests = 0;
const cases = methodCasesOf(
  () => venue,
  () => ++guests,
);

/** More messages than any sign-in has. */
const most = 60;

// Those that use something up, or make a visitor. The walk of the portal (`guest-outage-walk`) has the others.
const methods: readonly ProviderSlug[] = ['sms', 'voucher', 'email'];
test.each(methods)('%s: a form that met an outage is pressed again', async method => {
  await venue.offer({ slug: method });
  let met = 0;
  for (let messages = 0; messages < most; messages++) {
    venue.newMac();
    const fields = await cases[method].fields();
    let page = await venue.captive.get(venue.arrival());
    let last: Record<string, string> = { method, ...fields };
    if (method === 'sms') {
      page = await venue.submitOn(page, last);
      last = { method, code: await smsCode(venue, fields['phone']!) };
    }
    expect(stateOf(page.html), page.html.slice(-300)).not.toBe('');
    database.breakAfter(messages);
    const first = await venue.submitOn(page, last);
    const wasAway = database.mend();
    const where = `${method} without message ${messages + 1}`;
    if (wasAway && first.status !== 303) {
      met += 1;
      expect([first.status, Number(first.headers.get('retry-after')) > 0], where).toEqual([503, true]);
    }
    const again = await venue.submitOn(page, last);
    // A code that signed a guest in is used.
    if (first.status !== 303 || method !== 'sms')
      expect([again.status, again.html.slice(-600)], where).toEqual([303, '']);
    if (!wasAway) break;
  }
  expect(met).toBeGreaterThan(1);
});
