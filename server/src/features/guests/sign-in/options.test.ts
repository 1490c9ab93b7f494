import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { methodCasesOf, phoneOf, smsCode } from '../testing/methods.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

/**
 * Options that all methods have are tested with each of them. Other options are tested with their method: `provider_type` and
 * `method` with citizen-id, `method` with room-number, `profile_id` and `confirm_email` with free access.
 */

let venue: Venue;
let phone = '';
let guests = 0;
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => {
  phone = phoneOf(++guests);
});

const methodCases = methodCasesOf(
  () => venue,
  () => guests,
);

async function typeCode(answer: PageAnswer): Promise<PageAnswer> {
  const code = await smsCode(venue, phone);
  return venue.captive.form(venue.signInAt, { state: stateOf(answer.html), method: 'sms', code });
}

const cases = Object.entries(methodCases) as [ProviderSlug, (typeof methodCases)[ProviderSlug]][];

describe.each(cases)('%s', (slug, method) => {
  const offer = (options: object) => venue.offer({ slug, options });
  const page = async () => (await venue.captive.get(venue.arrival())).html;
  const sign = (fields: Record<string, string>) => venue.submit({ method: slug, ...fields });
  const signInFully = async (fields: Record<string, string>): Promise<PageAnswer> => {
    const answer = await sign(fields);
    const last = slug === 'sms' && answer.status === 200 ? await typeCode(answer) : answer;
    expect(last.status, last.html).toBe(303);
    return last;
  };
  const visitorOf = async (answer: PageAnswer) => {
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    const [row] = await venue.rows<{ email: string | null; phone: string | null }>(
      sql`select v.email, v.phone from tickets t join visitors v on v.id = t.visitor_id where t.hash = sha256(${ticket}::bytea)`,
    );
    return row!;
  };
  /** Whether the input with this name is optional. */
  const asks = (html: string, name: string) => {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0];
    return input && (/ required/.test(input) ? 'required' : 'optional');
  };

  test('by default asks for nothing else and does not remember the guest', async () => {
    await offer({});
    const html = await page();
    expect([asks(html, 'security_code'), method.own === 'email' || asks(html, 'email')]).toEqual([
      undefined,
      method.own === 'email' || undefined,
    ]);
    if (method.own !== 'phone') expect(asks(html, 'phone')).toBeUndefined();
    const answer = await signInFully(await method.fields());
    expect(answer.headers.get('set-cookie')).not.toContain('portico_guest_');
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
  });

  test('security_code: is required in addition to correct input', async () => {
    await offer({ require_security_code: true, security_code: 'Çay-7' });
    expect(asks(await page(), 'security_code')).toBe('required');
    const fields = await method.fields();
    for (const security_code of ['', 'cay-8'])
      expect((await sign({ ...fields, security_code })).html).toContain('Wrong security code');
    await signInFully({ ...fields, security_code: ' çay-7 ' });
  });

  for (const [name, problem, good, stored] of [
    ['email', 'This is not an e-mail address', 'Guest@Example.com', 'guest@example.com'],
    ['phone', 'This is not a mobile number', '0532 765 43 21', '+905327654321'],
  ] as const) {
    if (method.own === name) continue;
    test(`collect_${name} and ${name}_required: decide whether it may be omitted, and it is stored`, async () => {
      await offer({ [`collect_${name}`]: true });
      expect(asks(await page(), name)).toBe('optional');
      const fields = await method.fields();
      expect((await sign({ ...fields, [name]: 'nonsense' })).html).toContain(problem);
      expect(
        (await visitorOf(await signInFully(fields)))[name === 'phone' && slug === 'sms' ? 'email' : name],
      ).toBeNull();

      await offer({ [`collect_${name}`]: true, [`${name}_required`]: true });
      venue.newMac();
      phone = `+90534${1_000_000 + guests}`;
      expect(asks(await page(), name)).toBe('required');
      const again = slug === 'sms' ? { phone } : fields;
      expect((await sign(again)).html).toContain('Something is missing');
      expect((await visitorOf(await signInFully({ ...again, [name]: good })))[name]).toBe(stored);
    });
  }

  test('remember and remember_days: a returning guest is admitted at once within that time', async () => {
    await offer({ remember: 'cookie', remember_days: 3 });
    const answer = await signInFully(await method.fields());
    const cookie = answer.headers.getSetCookie().find(it => it.startsWith('portico_guest_'))!;
    expect(cookie).toContain(`Max-Age=${3 * 86_400};`);
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    const again = () => venue.captive.get(venue.arrival(), { cookie: cookie.split(';')[0]! });
    expect((await again()).status).toBe(303);
    expect((await venue.captive.get(venue.arrival())).status, 'without the cookie').toBe(200);
    const seen = (minutes: number) =>
      venue.run(
        sql`update remembered_guests set seen_at = now() - make_interval(mins => ${minutes}) where client_mac = ${venue.mac}::macaddr`,
      );
    await seen(3 * 24 * 60 - 5);
    expect((await again()).status, 'on the last day').toBe(303);
    await seen(3 * 24 * 60 + 5);
    expect((await again()).status).toBe(200);
  });

  test('all options at once: a missing input is named, and the device is remembered by its MAC alone', async () => {
    await offer({
      ...{ collect_email: true, email_required: true, collect_phone: true, phone_required: true },
      ...{ require_security_code: true, security_code: 'Çay-7', remember: 'mac' },
    });
    const contact = { email: `all-${guests}@example.com`, phone: `+90535${1_000_000 + guests}` };
    phone = contact.phone;
    const fields = { ...contact, ...(slug === 'sms' ? {} : await method.fields()), security_code: 'çay-7' };
    for (const [name, problem] of [
      ['email', 'Something is missing'],
      ['phone', 'Something is missing'],
      ['security_code', 'Wrong security code'],
    ] as const) {
      const answer = await sign({ ...fields, [name]: '' });
      expect(answer.html, name).toContain(problem);
      expect(answer.html, name).toMatch(
        new RegExp(`<input[^>]*aria-invalid="true"[^>]*name="${name}"|name="${name}"[^>]*aria-invalid="true"`),
      );
    }
    const answer = await signInFully(fields);
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    expect((await venue.captive.get(venue.arrival())).status, 'known by its MAC').toBe(303);
    venue.newMac();
    expect((await venue.captive.get(venue.arrival())).status, 'another device').toBe(200);
  });

  test('is_active and order: an inactive method is not offered or accepted, and the order is kept', async () => {
    const other: ProviderSlug = slug === 'username' ? 'temp' : 'username';
    await venue.offer({ slug: other, options: {}, order: 1 }, { slug, options: {}, order: 0 });
    const methods = [...(await page()).matchAll(/name="method" value="([^"]*)"/g)].map(it => it[1]);
    expect(methods).toEqual([slug, other]);
    const fields = await method.fields();
    await venue.offer({ slug: other, options: {} }, { slug, options: {}, is_active: false });
    expect(await page()).not.toContain(`value="${slug}"`);
    const refused = await sign(fields);
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  });
});

test('confirm_email of temp: the address is required, gets a mail, and has to be confirmed before a second period', async () => {
  await venue.offer({ slug: 'temp', options: { confirm_email: true } });
  const { html } = await venue.captive.get(venue.arrival());
  expect(html).toContain('We will mail you a link');
  const temp = (email: string) => venue.submit({ method: 'temp', email });
  expect((await temp('')).html).toContain('Something is missing');
  expect((await temp('nobody')).html).toContain('This is not an e-mail address');
  expect((await temp('free@example.com')).status).toBe(303);
  const mails = () =>
    venue.rows<{ data: string }>(sql`select data from outbox_mails where address = 'free@example.com' order by id`);
  const sent = await mails();
  expect(sent).toHaveLength(1);
  await venue.run(sql`update visitors set session_end_at = now() where portal_mac = ${venue.mac}::macaddr`);
  expect((await temp('free@example.com')).html).toContain('Please confirm your e-mail address');
  const link = new URL(JSON.parse(venue.api.app.secrets.decrypt((await mails()).at(-1)!.data)).link);
  const t = link.searchParams.get('t')!;
  expect((await venue.captive.post(link.pathname, { t })).status).toBe(303);
  expect((await temp('free@example.com')).status).toBe(303);
  const [attempt] = await venue.failures();
  expect(attempt!['params']).toEqual({ email: 'free@example.com' });
});
