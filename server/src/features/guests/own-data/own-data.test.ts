import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import type { Body } from '#test/harness.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ COA_TIMEOUT: '1' });
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '<p>Be kind</p>' } } });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => venue.offer({ slug: 'email', options: {} }));

interface OpenedData {
  readonly cookie: string;
  readonly page: PageAnswer;
}
const dataAt = () => `/w/${venue.nas}/my-data`;

/** Signs in with a method, and opens the page with the guest's own data. */
async function openData(fields: Record<string, string>): Promise<OpenedData> {
  const answer = await venue.submit(fields);
  expect(answer.status, answer.html.slice(-500)).toBe(303);
  const back = new URL(answer.headers.get('location')!);
  const ticket = back.searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1_000_000, downloadBytes: 2_000_000 });
  const online = await venue.openOnline(answer);
  const link = /href="([^"]*\/my-data[^"]*)"/.exec(online.html)![1]!;
  const cookie = cookiesOf(answer);
  return { cookie, page: await venue.captive.get(link, { cookie }) };
}
const act = (what: 'mail' | 'delete', { cookie }: Pick<OpenedData, 'cookie'>) =>
  venue.captive.form(`${dataAt()}/${what}`, { lang: 'en' }, { cookie });

describe('a guest’s own data', () => {
  test('is shown only to the browser that signed in', async () => {
    const { cookie, page } = await openData({ method: 'email', email: 'ayse@example.com' });
    expect(page.status).toBe(200);
    expect(page.html.split('ayse@example.com')).toHaveLength(2);
    expect(page.html).toContain('English');
    expect(page.html).toContain(`${venue.mac.slice(0, 5)}:••:••:••:${venue.mac.slice(-2)}`);
    expect(page.html).toContain('for 730 days');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await venue.captive.get(dataAt(), { cookie: `${cookie}x` })).status).toBe(404);
    expect((await venue.captive.get(dataAt())).status).toBe(404);
    expect((await venue.captive.get('/w/nosuchrouter1/my-data', { cookie })).status).toBe(404);
    const signIn = await venue.captive.get(venue.arrival());
    expect((await act('delete', { cookie: `portico_visit=${stateOf(signIn.html)}` })).status).toBe(404);
    expect((await act('delete', { cookie: '' })).status).toBe(404);
  });

  test('can be downloaded by the browser that signed in only', async () => {
    const { cookie, page } = await openData({ method: 'email', email: 'elif@example.com' });
    const at = /href="([^"]*\/my-data\/file)"/.exec(page.html)![1]!;
    const file = await venue.captive.get(at, { cookie });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(file.html)).toMatchObject({
      place: 'Kafe <Çınar>',
      person: { email: 'elif@example.com' },
      remembered: false,
      surveys_answered: 0,
      latest_sessions: [{ ended_at: null, bytes: 3_000_000 }],
    });
    for (const other of [{}, { cookie: `${cookie}x` }]) {
      const refused = await venue.captive.get(at, other);
      expect([refused.status, refused.html.includes('elif@example.com')]).toEqual([404, false]);
    }
    expect((await act('delete', { cookie })).status).toBe(303);
    expect((await venue.captive.get(at, { cookie })).status).toBe(404);
  });

  test('can be opened by a link that is mailed to the stored address only', async () => {
    const opened = await openData({ method: 'email', email: 'deniz@example.com' });
    const answer = await act('mail', opened);
    expect(answer.status).toBe(303);
    const sent = await venue.captive.get(answer.headers.get('location')!, { cookie: opened.cookie });
    expect(sent.html).toContain('The link is on its way');
    const [mail, ...others] = (await takeMails(venue.api.app)).filter(it => it.text.includes('/my-data?s='));
    expect([mail!.to, others]).toEqual(['deniz@example.com', []]);
    const link = new URL(/http:\/\/guests\.example\/\S*my-data\?s=[\w.-]+/.exec(mail!.text)![0]);
    const exchanged = await venue.captive.get(link.pathname + link.search);
    expect([exchanged.status, exchanged.headers.get('location')]).toEqual([303, `${dataAt()}?lang=en`]);
    const page = await venue.captive.get(dataAt(), { cookie: cookiesOf(exchanged) });
    expect(page.html).toContain('deniz@example.com');
    expect((await venue.captive.get(`${link.pathname}${link.search}x`)).status).toBe(404);
  });

  test('is deleted except for what the law requires, and the guest is signed out', async () => {
    const opened = await openData({ method: 'email', email: 'can@example.com' });
    const [visitor] = await venue.rows<{ id: string }>(sql`select id from visitors where email = 'can@example.com'`);
    const gone = await act('delete', opened);
    expect([gone.status, gone.headers.get('location')]).toEqual([303, `/w/${venue.nas}/my-data/gone?lang=en`]);
    const page = await venue.captive.get(gone.headers.get('location')!);
    expect(page.html).toContain('Your data was deleted');
    expect(page.html).toContain('<title>Your data was deleted · Kafe');
    expect(page.html).toContain('/my-data/gone?lang=tr"');
    expect(await venue.rows(sql`select 1 from visitors where id = ${visitor!.id}`)).toEqual([]);
    expect(await venue.rows(sql`select 1 from consents where visitor_id = ${visitor!.id}`)).toEqual([]);
    expect(
      await venue.rows(
        sql`select identity->>'email' as email, jsonb_array_length(consents) as consents from erased_guests where id = ${visitor!.id}`,
      ),
    ).toEqual([{ email: 'can@example.com', consents: 1 }]);
    const at = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone: 'Europe/Istanbul',
    }).format(new Date());
    const body = { at, mac: venue.mac, address: '10.5.50.9', reason: '2026/114' };
    const report = await venue.api.post('panel/reports/who-was-it', { token: venue.admin, body });
    expect(report.status, report.text).toBe(200);
    const ofMac = report.body.data.matches.filter((it: Body) => it.session.client_mac === venue.mac);
    expect(ofMac).toMatchObject([{ guest: { email: 'can@example.com', provider_type: 'email' } }]);
    const stranger = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const asked = await venue.api.post('panel/reports/who-was-it', {
      token: stranger.token,
      tenant: 'elsewhere',
      body,
    });
    expect(asked.text).not.toContain('can@example.com');
    const ended =
      await venue.rows(sql`select k.reason from session_commands k join online_sessions s on s.id = k.session_id
      where s.visitor_id = ${visitor!.id}`);
    expect(ended).toEqual([{ reason: 'guest' }]);
    expect((await venue.captive.get(dataAt(), { cookie: opened.cookie })).status).toBe(404);
    expect((await act('delete', opened)).status).toBe(404);
    const list = await venue.api.get('panel/client?search=can@example.com', { token: venue.admin });
    expect(list.body.data).toEqual([]);
  });

  test('is deleted with the failed sign-ins of the guest and of the device, but not with those of others', async () => {
    const opened = await openData({ method: 'email', email: 'su@example.com' });
    const other = await venue.visitor();
    const away = await venue.api.location(venue.admin, 'Elsewhere');
    const failed = async (reason: string, mac: string, of: string | null, at?: string) =>
      venue.run(sql`
        insert into failed_logins (tenant_id, location_id, client_mac, provider_slug, reason, visitor_id)
        select tenant_id, coalesce(${at}::uuid, location_id), ${mac}::macaddr, 'username', ${reason},
          (select o.id from visitors o where o.tenant_id = v.tenant_id and (o.username = ${of} or o.email = ${of}))
        from visitors v where email = 'su@example.com'`);
    await failed('own device', venue.mac, null);
    await failed('own account on another device', '02:77:00:00:00:79', 'su@example.com');
    await failed('another device', '02:77:00:00:00:79', null);
    await failed('another guest on this device', venue.mac, other);
    await failed('another location', venue.mac, null, away);
    expect((await act('delete', opened)).status).toBe(303);
    const left = await venue.rows<{ reason: string }>(sql`select reason from failed_logins order by reason`);
    expect(left.map(it => it.reason)).toEqual(['another device', 'another guest on this device', 'another location']);
  });

  test('is deleted from an account that the operator created, which stays', async () => {
    await venue.offer({ slug: 'username', options: { collect_email: true, remember: 'mac' } });
    const username = await venue.visitor();
    // A past session of its name, which came while the visitor was created.
    await venue.run(sql`
      insert into imported_sessions (tenant_id, location_id, import_id, source_key, user_name, client_mac, nas, started_at, ended_at, seconds, upload, download, terminate_cause)
      select tenant_id, location_id, id, 'x', username, '02:77:00:00:00:78', '', now(), now(), 1, 1, 1, '' from visitors where username = ${username}`);
    const opened = await openData({ username, password: 'parola 1', email: 'ek@example.com' });
    expect(opened.page.html).toContain('02:77:••:••:••:78');
    expect(opened.page.html).toContain('Your account was made by this place');
    const gone = await act('delete', opened);
    expect([gone.status, gone.headers.get('location')]).toEqual([
      303,
      `/w/${venue.nas}/my-data/gone?account=1&lang=en`,
    ]);
    const last = await venue.captive.get(gone.headers.get('location')!);
    expect(last.html).toContain('The account stays');
    expect(last.html).not.toContain('Your data was deleted');
    expect(last.html).toContain('/my-data/gone?account=1&amp;lang=tr"');
    expect(await venue.rows(sql`select email, username from visitors where username = ${username}`)).toEqual([
      { email: null, username },
    ]);
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="username"');
  });

  test('is deleted from the account of a citizen whom the operator listed, which stays', async () => {
    const options = { provider_type: 'local', method: 'only_citizen_id' };
    await venue.offer({ slug: 'citizen-id', options });
    const number = '10000000146';
    const born = { birth_day: 5, birth_month: 7, birth_year: 1991 };
    const listed = { name: 'Can Kaya', provider_type: 'citizen-id', location_id: venue.location, ...born };
    const visitor = await venue.create('panel/client', { ...listed, provider_id: number });
    const opened = await openData({ method: 'citizen-id', citizen_id: number });
    expect(opened.page.html).toContain('Your account was made by this place');
    const gone = await act('delete', opened);
    expect(gone.headers.get('location')).toContain('/my-data/gone?account=1');
    const kept = await venue.api.get(`panel/client/${visitor.id}`, { token: venue.admin });
    expect([kept.status, kept.body.data?.idNumber]).toEqual([200, number]);
    venue.newMac();
    expect((await venue.submit({ method: 'citizen-id', citizen_id: number })).status).toBe(303);
  });

  test.each([
    ['en', 'Everything except that record', 'The account stays.'],
    ['tr', 'Bu kayıt dışındaki her şey', 'Hesap kalır.'],
    ['de', 'Alles außer diesem Nachweis', 'Das Konto bleibt bestehen.'],
    ['ar', 'سيُحذف كل شيء عدا ذلك السجل', 'ويبقى الحساب.'],
  ])('names what a deletion removes, by who made the account (%s)', async (lang, all, some) => {
    await venue.offer({ slug: 'email', options: {} }, { slug: 'username' }, { slug: 'voucher' });
    const profile = await venue.create('panel/location/user-profile', { name: lang, location_id: venue.location });
    const valid_for = { is_active: true, option: 'hour', value: 2 };
    const terms = { name: 'Kupon', count: 1, valid_for, profile_id: profile.id, price: 0, currency: 'eur' };
    const batch = await venue.create('panel/voucher-batch', { ...terms, location_id: venue.location });
    const at = `panel/voucher-batch/${batch.id}/cards`;
    const cards = await venue.api.post(at, { token: venue.admin, body: {} });
    const fields: [Record<string, string>, boolean][] = [
      [{ method: 'email', email: `${lang}@example.com` }, true],
      [{ username: await venue.visitor(), password: 'parola 1' }, false],
      [{ method: 'voucher', voucher: cards.body.data[0].code }, false],
    ];
    for (const [typed, isWhole] of fields) {
      venue.newMac();
      const { cookie } = await openData(typed);
      const { html } = await venue.captive.get(`${dataAt()}?lang=${lang}`, { cookie });
      expect([html.includes(all), html.includes(some)], typed['method'] ?? 'username').toEqual([isWhole, !isWhole]);
    }
  });
});
