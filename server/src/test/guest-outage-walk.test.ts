import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { packState } from '#features/guests/guest-state.ts';
import { cookiesOf, login, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { startFragileDatabase } from './fragile-database.ts';

/*
 * Asks every address of the guest portal while the database goes away: before the first message to it, before the second, and
 * so on. A guest gets a page that says so (503 with Retry-After), or what needs no database, never a 500.
 */
const maxMessages = 6;

let venue: Venue;
let database: Awaited<ReturnType<typeof startFragileDatabase>>;
let cookie: string;
let things: Record<string, string>;

beforeAll(async () => {
  database = await startFragileDatabase();
  venue = await startVenue({ DATABASE_URL: database.url });
  venue.newMac();
  await venue.offer(
    { slug: 'email', options: { collect_phone: true, remember: 'cookie' } },
    { slug: 'username', options: { remember: 'cookie' } },
    { slug: 'sms', options: {} },
    { slug: 'voucher', options: {} },
    { slug: 'citizen-id', options: {} },
  );
  const question = { label: { en: 'How was it?' }, answer_type: 'text', type: 'single', answers: [] };
  const survey = await venue.create(`panel/portal/${venue.portal.id}/surveys`, { name: 'S', questions: [question] });
  const ad = { name: 'Ad', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' };
  things = {
    nas: venue.nas,
    kind: 'kvkk',
    portalId: venue.portal.id,
    ad: (await venue.create(`panel/portal/${venue.portal.id}/ads`, ad)).id,
    survey: survey.id,
    tenant: await venue.api.tenantId('panel'),
    file: `logo-${randomUUID()}.webp`,
    number: '1',
  };
  const form = {
    location_id: venue.location,
    name: 'Ada',
    provider_type: 'username',
    username: 'ada',
    password: 'parola 1',
  };
  await venue.create('panel/client', form);
  const signedIn = await venue.submit({ method: 'username', username: 'ada', password: 'parola 1' });
  expect(signedIn.status, signedIn.html.slice(-500)).toBe(303);
  const ticket = new URL(signedIn.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 2 });
  cookie = cookiesOf(signedIn);
}, 120_000);

const placeOf = (path: string): string =>
  path.replace(/:(\w+)(\([^)]*\))?\??/g, (_all, name: string) => things[name] ?? 'x');

/** Calls an address at every point at which the database can go away. Returns how often that was noticed. */
async function outagesOf(about: string, ask: () => Promise<{ status: number; headers: Headers; html: string }>) {
  let outages = 0;
  for (let messages = 0; messages < maxMessages; messages++) {
    database.breakAfter(messages);
    const { status, headers, html } = await ask();
    const wasAway = database.mend();
    const where = `${about} without message ${messages + 1}: ${status} ${html.slice(0, 300)}`;
    if (status >= 500) {
      expect([status, Number(headers.get('retry-after')) > 0], where).toEqual([503, true]);
      outages += 1;
    }
    if (!wasAway) break;
  }
  return outages;
}

test('an outage is no failure of any page or form of a guest', async () => {
  const { captive, api } = venue;
  const visit = { nas: venue.nas, mac: venue.mac, ip: '10.5.50.9', login, orig: '' };
  const state = packState(api.app.secrets, { step: 'sign-in', visit });
  const seen = new Map<string, number>();
  for (const { method, path } of captive.routes) {
    const at = placeOf(path);
    const query = new URLSearchParams({ ...visit, s: state, g: state, lang: 'en', state, code: 'x' });
    const forms: Record<string, string>[] = [
      { state, lang: 'en', method: 'username', username: 'ada', password: 'parola 1' },
      { state, lang: 'en', method: 'username', username: 'ada', password: 'wrong' },
      { state, lang: 'en', method: 'email', email: 'ada@example.com', phone: '+905321112244', agree: '1' },
      { state, lang: 'en', method: 'sms', phone: '+905321112255' },
      { state, lang: 'en', method: 'voucher', code: 'ABCD-EFGH' },
      { state, lang: 'en', method: 'citizen-id', citizen_id: '10000000146' },
    ];
    const asks =
      method === 'POST'
        ? forms.map(form => () => captive.post(at, form, { cookie }))
        : [() => captive.get(`${at}?${query}`, { cookie }), () => captive.get(`${at}?${query}`)];
    for (const ask of asks) seen.set(path, (seen.get(path) ?? 0) + (await outagesOf(`${method} ${at}`, ask)));
  }
  // Otherwise the walk would prove nothing.
  for (const path of ['/w/:nas', '/w/:nas/sign-in', '/w/:nas/online', '/w/:nas/my-data'])
    expect(seen.get(path), path).toBeGreaterThan(0);
});

test('a page about an outage is in the language of the guest, and leads on', async () => {
  const { captive, api, portal, nas } = venue;
  const saved = await api.put(`panel/portal/${portal.id}`, {
    token: venue.admin,
    body: { page: { languages: ['de', 'tr'] } },
  });
  expect(saved.status, saved.text).toBe(200);
  const visit = { nas, mac: venue.mac, ip: '10.5.50.9', login, orig: '' };
  const address = (ip: string) => `/w/${nas}?${new URLSearchParams({ mac: visit.mac, ip, login, orig: '' })}`;
  // The languages of the walk are kept for three seconds.
  await expect.poll(async () => (await captive.get(address('10.5.50.20'))).html).toContain('lang="de"');
  const state = packState(api.app.secrets, { step: 'sign-in', visit });
  for (const [ask, title] of [
    [() => captive.get(`${address('10.5.50.21')}&lang=tr`), 'Bir saniye lütfen'],
    [() => captive.get(address('10.5.50.22'), { 'accept-language': 'tr' }), 'Bir saniye lütfen'],
    [() => captive.get(address('10.5.50.23')), 'Einen Augenblick bitte'],
    [
      () => captive.post(`/w/${nas}/sign-in`, { state, lang: 'tr', method: 'username', username: 'a', password: 'b' }),
      'Bir saniye lütfen',
    ],
  ] as const) {
    database.breakAfter(0);
    const { status, html } = await ask();
    database.mend();
    expect(status).toBe(503);
    expect(html).toContain(title);
    expect(html).toMatch(/<a class="button[^>]*href="\/w\//);
  }
});
