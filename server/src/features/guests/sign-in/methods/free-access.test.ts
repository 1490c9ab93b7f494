import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { takeMails } from '#mail/testing.ts';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '../../testing/venue.ts';

let venue: Venue;
let hour: string;
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
  const profile = { name: 'Free', shared_user: 1, session_duration: { is_active: true, option: 'hour', value: 1 } };
  hour = (await venue.create('panel/location/user-profile', { ...profile, location_id: venue.location })).id;
}, 120_000);
newGuestEachTest(() => venue);

const sign = (fields: Record<string, string>) => venue.submit(fields);
const ticketOf = (answer: { headers: Headers }) =>
  new URL(answer.headers.get('location')!).searchParams.get('username')!;
/** Moves the start of the guest's period into the past. */
const pass = (time: string) =>
  venue.run(sql`update visitors set session_start_at = session_start_at - ${time}::interval, session_end_at = session_end_at - ${time}::interval
    where portal_mac = ${venue.mac}::macaddr`);
/** Ends the guest's period, which began today. */
const end = () =>
  venue.run(
    sql`update visitors set session_end_at = now() - interval '1 second' where portal_mac = ${venue.mac}::macaddr`,
  );
const visitors = () =>
  venue.rows(sql`select provider_type, email, profile_id, extract(epoch from session_end_at - now())::int as seconds
    from visitors where portal_mac = ${venue.mac}::macaddr`);

describe('a guest with free access', () => {
  test('is online for the profile’s duration, once a day', async () => {
    await venue.offer({ slug: 'temp', options: { profile_id: hour } });
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('Connect free of charge');
    const first = await sign({ method: 'temp' });
    expect(first.status, first.html).toBe(303);
    const decision = await venue.routerAccepts(ticketOf(first));
    expect(decision.outcome).toBe('accept');
    expect(await visitors()).toMatchObject([{ provider_type: 'temp', profile_id: hour }]);
    expect((await visitors())[0].seconds).toBeGreaterThan(3590);
    // The period continues while the guest is away.
    await venue.run(
      sql`update visitors set session_end_at = now() + interval '5 minutes' where portal_mac = ${venue.mac}::macaddr`,
    );
    expect((await sign({ method: 'temp' })).status).toBe(303);
    expect((await visitors())[0].seconds).toBeLessThanOrEqual(300);
    await end();
    const over = await sign({ method: 'temp' });
    expect([over.status, over.html.includes('free access is used up')]).toEqual([422, true]);
    expect(await venue.failures()).toMatchObject([{ provider_slug: 'temp', reason: 'free_over', params: {} }]);
    await pass('1 day');
    expect((await sign({ method: 'temp' })).status).toBe(303);
    expect(await visitors()).toHaveLength(1);
    expect((await visitors())[0].seconds).toBeGreaterThan(3590);
  });

  test('sees in every language that today’s access has ended', async () => {
    await venue.offer({ slug: 'temp', options: { profile_id: hour } });
    await sign({ method: 'temp' });
    await end();
    for (const [lang, says] of [
      ['tr', 'Bugünkü ücretsiz kullanım hakkınız doldu'],
      ['de', 'Ihr freier Zugang für heute ist verbraucht'],
      ['ru', 'Бесплатный доступ на сегодня исчерпан'],
      ['ar', 'نفد دخولك المجاني لهذا اليوم'],
    ] as const)
      expect((await sign({ method: 'temp', lang })).html).toContain(says);
  });

  test('is one visitor per device, however often it signs in', async () => {
    await venue.offer({ slug: 'temp', options: { profile_id: hour } });
    const all = await Promise.all([1, 2, 3, 4].map(() => sign({ method: 'temp' })));
    expect(all.map(it => it.status)).toEqual([303, 303, 303, 303]);
    expect(await visitors()).toHaveLength(1);
    const victim = ticketOf(all[0]!);
    expect((await venue.routerAccepts(victim, '02:00:00:00:00:77')).outcome).toBe('reject');
  });

  test('can sign in without a profile or with a deleted one', async () => {
    const gone = (await venue.create('panel/location/user-profile', { name: 'Gone', location_id: venue.location })).id;
    await venue.offer({ slug: 'temp', options: { profile_id: gone } });
    await venue.run(sql`delete from profiles where id = ${gone}`);
    expect((await sign({ method: 'temp' })).status).toBe(303);
    expect(await visitors()).toMatchObject([{ profile_id: null, seconds: null }]);
    await venue.run(sql`update locations set time_limit_enabled = true, time_limit = 2, time_limit_unit = 'hour'`);
    venue.newMac();
    expect((await sign({ method: 'temp' })).status).toBe(303);
    expect((await visitors())[0].seconds).toBeGreaterThan(7190);
    await venue.run(sql`update locations set time_limit_enabled = false`);
  });

  test('is refused when blocked; the security code and the e-mail address are checked first', async () => {
    const options = { require_security_code: true, security_code: 'k1', collect_email: true, email_required: true };
    await venue.offer({ slug: 'temp', options });
    expect((await sign({ method: 'temp', email: 'a@b.co' })).html).toContain('Wrong security code');
    expect((await sign({ method: 'temp', security_code: 'k1' })).html).toContain('Something is missing');
    expect(await visitors()).toEqual([]);
    expect((await sign({ method: 'temp', security_code: 'k1', email: 'a@b.co' })).status).toBe(303);
    expect(await visitors()).toMatchObject([{ email: 'a@b.co' }]);
    await venue.run(sql`update visitors set blocked = true where portal_mac = ${venue.mac}::macaddr`);
    const blocked = await sign({ method: 'temp', security_code: 'k1', email: 'a@b.co' });
    expect([blocked.status, blocked.html.includes('Your access is paused')]).toEqual([422, true]);
  });
});

describe('a guest with an e-mail address', () => {
  const mails = () =>
    venue.rows<{ address: string; language: string; data: string }>(
      sql`select address, language, data from outbox_mails where template = 'confirm_guest_email' order by id`,
    );
  beforeEach(() => venue.run(sql`delete from outbox_mails`));
  const linkOf = (data: string): URL => new URL(JSON.parse(venue.api.app.secrets.decrypt(data)).link);

  test('signs in with it', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour } });
    expect((await sign({ method: 'email', email: '' })).html).toContain('Something is missing');
    expect((await sign({ method: 'email', email: 'nobody@' })).html).toContain('This is not an e-mail address');
    const answer = await sign({ method: 'email', email: ' Guest@Example.com' });
    expect(answer.status, answer.html).toBe(303);
    expect((await venue.routerAccepts(ticketOf(answer))).outcome).toBe('accept');
    expect(await visitors()).toMatchObject([{ provider_type: 'email', email: 'guest@example.com', profile_id: hour }]);
    expect(await mails()).toEqual([]);
    await end();
    expect((await sign({ method: 'email', email: 'guest@example.com' })).html).toContain('free access is used up');
    expect((await sign({ method: 'email', email: 'other@example.com' })).html).toContain('free access is used up');
    const [failure] = await venue.failures();
    expect(failure).toMatchObject({ reason: 'free_over', params: { email: 'other@example.com' } });
    await pass('1 day');
    expect((await sign({ method: 'email', email: 'guest@example.com' })).status).toBe(303);
  });

  test('confirms it by the mailed link, and can then sign in again', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour, confirm_email: true } });
    expect((await venue.captive.get(venue.arrival())).html).toContain('We will mail you a link');
    expect((await sign({ method: 'email', email: 'first@example.com', lang: 'tr' })).status).toBe(303);
    const [mail] = await mails();
    expect(mail).toMatchObject({ address: 'first@example.com', language: 'tr' });
    // Another mail is sent only after the end of the period.
    expect((await sign({ method: 'email', email: 'first@example.com' })).status).toBe(303);
    expect(await mails()).toHaveLength(1);
    await end();
    const waits = await sign({ method: 'email', email: 'first@example.com' });
    expect([waits.status, waits.html.includes('Please confirm your e-mail address')]).toEqual([422, true]);
    const sent = await mails();
    expect(sent).toHaveLength(2);
    const link = linkOf(sent.at(-1)!.data);
    expect(link.href).toMatch(
      new RegExp(`^http://guests.example/w/${venue.nas}/confirm-email\\?t=[\\w-]{43}&lang=en$`),
    );
    // Mail servers open links to check them, so opening alone confirms nothing.
    const page = await venue.captive.get(link.pathname + link.search);
    expect(page.html).toContain('Is <bdi dir="ltr">first@example.com</bdi> your address?');
    expect((await sign({ method: 'email', email: 'first@example.com' })).status).toBe(422);
    const unknown = await venue.captive.form(`/w/${venue.nas}/confirm-email`, { t: 'x', lang: 'en' });
    expect([unknown.status, unknown.html.includes('This link is no longer valid')]).toEqual([404, true]);
    // A later mail leaves the link of an earlier one valid.
    const t = link.searchParams.get('t')!;
    const answer = await venue.captive.post(`/w/${venue.nas}/confirm-email`, { t, lang: 'de' });
    expect(answer.status).toBe(303);
    for (let times = 0; times < 2; times++) {
      const confirmed = await venue.captive.get(answer.headers.get('location')!);
      expect([confirmed.status, confirmed.html.includes('Ihre Adresse ist bestätigt')]).toEqual([200, true]);
      expect(confirmed.html).not.toContain('<form');
    }
    expect((await sign({ method: 'email', email: 'first@example.com' })).status).toBe(303);
    expect((await visitors())[0].seconds).toBeGreaterThan(3590);
    // A confirmation adds one period; then the rest of the day is used up.
    await end();
    expect((await sign({ method: 'email', email: 'first@example.com' })).html).toContain('free access is used up');
  });

  test('does not confirm it by a link that has expired', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour, confirm_email: true } });
    await sign({ method: 'email', email: 'late@example.com' });
    const link = linkOf((await mails()).at(-1)!.data);
    const page = () => venue.captive.get(link.pathname + link.search);
    expect((await page()).status).toBe(200);
    await venue.run(sql`update email_confirmations set expires_at = now() where email = 'late@example.com'`);
    const late = await page();
    expect([late.status, late.html.includes('This link is no longer valid')]).toEqual([404, true]);
    const t = link.searchParams.get('t')!;
    await venue.captive.post(`/w/${venue.nas}/confirm-email`, { t, lang: 'en' });
    await end();
    expect((await sign({ method: 'email', email: 'late@example.com' })).html).toContain('Please confirm your e-mail');
  });

  test('can correct it and gets a new mail; the link to the old address no longer helps', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour, confirm_email: true } });
    await sign({ method: 'email', email: 'tpyo@example.com' });
    const old = linkOf((await mails()).at(-1)!.data);
    expect((await sign({ method: 'email', email: 'right@example.com' })).status).toBe(303);
    expect((await mails()).at(-1)).toMatchObject({ address: 'right@example.com' });
    expect((await venue.captive.get(old.pathname + old.search)).status).toBe(404);
    await end();
    expect((await sign({ method: 'email', email: 'right@example.com' })).html).toContain('Please confirm your e-mail');
    expect(await visitors()).toHaveLength(1);
  });

  test('sees on the status page that the mail must be opened, can have it sent again, and can change the address', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour, confirm_email: true } });
    await venue.update(`panel/portal/${venue.portal.id}`, { styles: { primary_color: '#a01234' } });
    const answer = await sign({ method: 'email', email: 'lale@example.com', lang: 'de' });
    await venue.routerAccepts(ticketOf(answer));
    await venue.routerStarts(ticketOf(answer), { uploadBytes: 0, downloadBytes: 0 });
    const cookie = cookiesOf(answer);
    const page = await venue.openOnline(answer);
    expect(page.html).toContain('We sent a link to <bdi dir="ltr">l•••@example.com</bdi>');
    const ask = async (fields: Record<string, string>) => {
      const reply = await venue.captive.post(`/w/${venue.nas}/mail`, { lang: 'de', ...fields }, { cookie });
      expect(reply.headers.get('location')).not.toContain('example');
      return venue.captive.get(reply.headers.get('location')!, { cookie: [cookie, cookiesOf(reply)].join('; ') });
    };
    expect((await ask({})).html).toContain('Die E‑Mail ist unterwegs');
    const bad = await ask({ email: 'lale@' });
    expect(bad.html).toContain('Das ist keine E‑Mail-Adresse');
    expect(bad.html).toContain('value="lale@"');
    expect((await ask({ email: 'Lale.K@example.com' })).html).toContain('l•••@example.com');
    const sent = await mails();
    expect(sent.slice(-3).map(it => [it.address, it.language])).toEqual([
      ['lale@example.com', 'de'],
      ['lale@example.com', 'de'],
      ['lale.k@example.com', 'de'],
    ]);
    const letter = (await takeMails(venue.api.app)).at(-1)!;
    expect(letter.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für das WLAN von Kafe <Çınar>');
    expect(letter.html).toContain('<html lang="de" dir="ltr">');
    expect(letter.html).toContain('border-top:4px solid #a01234');
    expect(letter.html + letter.text).not.toMatch(/Portico/i);
    const dead = await venue.captive.get(`/w/${venue.nas}/confirm-email?t=old&lang=de`, { cookie });
    expect(dead.html).toMatch(/href="\/w\/\w+\/online\?lang=de">Zur Seite nach der Anmeldung</);
    for (let i = 0; i < 3; i++) await ask({});
    await holdBlocks(venue.api.app);
    expect((await ask({})).html).toContain('Zu viele Versuche');
    await venue.run(sql`update visitors set email_confirmed_at = now() where email = 'lale.k@example.com'`);
    expect((await venue.captive.get(`/w/${venue.nas}/online?lang=de`, { cookie })).html).not.toContain('l•••@');
    const none = await venue.captive.form(`/w/${venue.nas}/mail`, { lang: 'de' });
    expect(none.status).toBe(403);
  });

  test('cannot flood another person’s mailbox, from one device or many', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour, confirm_email: true } });
    const before = (await mails()).length;
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      venue.newMac();
      statuses.push((await sign({ method: 'email', email: 'victim@example.com' })).status);
    }
    expect(statuses.splice(0)).toContain(429);
    expect((await mails()).length - before).toBeLessThanOrEqual(4);
    venue.newMac();
    for (let i = 0; i < 8; i++)
      statuses.push((await sign({ method: 'email', email: `victim${i}@example.com` })).status);
    expect(statuses).toContain(429);
  });

  test('cannot take over another visitor by its address', async () => {
    await venue.offer({ slug: 'email', options: { profile_id: hour } });
    await sign({ method: 'email', email: 'owner@example.com' });
    const owner = venue.mac;
    venue.newMac();
    expect((await sign({ method: 'email', email: 'owner@example.com' })).status).toBe(303);
    const rows = await venue.rows(sql`select portal_mac from visitors where email = 'owner@example.com'`);
    expect(rows).toHaveLength(2);
    expect(owner).not.toBe(venue.mac);
    const hostile = await sign({ method: 'email', email: '"><script>alert(1)</script>@x.co' });
    expect([hostile.status, hostile.html]).toEqual([422, expect.not.stringContaining('<script>alert')]);
  });
});
