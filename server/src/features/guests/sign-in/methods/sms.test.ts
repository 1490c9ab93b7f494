import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { placeOfNotice } from '@portico/contract/notice-places.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { sendMessages } from '#sms/sms.jobs.ts';
import { afterFile } from '#test/after-file.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '../../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(async () => {
  await venue.offer({ slug: 'sms' }, { slug: 'username' });
  await venue.run(sql`update locations set sms_used = 0, sms_limit = 1000`);
  phone = `+90532${String(1_000_000 + ++phones)}`;
});
let phones = 0;
let phone = '';

const outbox = () => path.join(venue.api.app.settings.DATA_DIR, 'outbox');
/** The messages that were sent to a number, oldest first. */
const textsTo = (to: string) =>
  (existsSync(outbox()) ? readdirSync(outbox()) : [])
    .sort()
    .map(name => readFileSync(path.join(outbox(), name), 'utf8'))
    .filter(text => text.startsWith(`To: ${to}\n`));
/** The latest code that was sent to a number. */
async function codeSentTo(to: string): Promise<string> {
  await sendMessages(venue.api.app);
  const texts = textsTo(to);
  return /\b(\d{6})\b/.exec(texts.at(-1)!.split('\n\n')[1]!)![1]!;
}
const ask = (fields: Record<string, string> = {}) => venue.submit({ method: 'sms', phone, ...fields });
const type = (html: string, fields: Record<string, string>) =>
  venue.captive.form(venue.signInAt, { state: stateOf(html), method: 'sms', ...fields });
/** Moves the message into the past. */
const wait = (seconds: number) =>
  venue.run(sql`update sms_messages set created_at = created_at - make_interval(secs => ${seconds})`);

describe('a guest with a phone', () => {
  test('gets a code, enters it and is admitted; it stays one visitor when it returns', async () => {
    const page = await ask({ phone: phone.replace('+90', '0').replace(/(\d{3})(\d{4})$/, '$1 $2') });
    expect(page.status, page.html).toBe(200);
    expect(page.html).toContain('name="code"');
    expect(page.html).toContain('autoComplete="one-time-code"');
    expect(page.html).not.toContain(phone.slice(4));
    const code = await codeSentTo(phone);
    const [row] = await venue.rows<{ state: string; data: string | null }>(
      sql`select state, data from sms_messages order by created_at desc, id desc`,
    );
    expect(row).toMatchObject({ state: 'sent', data: null });
    const answer = await type(page.html, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(answer.status, answer.html).toBe(303);
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    // A code is valid for one sign-in.
    expect((await type(page.html, { code })).html).toContain('no longer valid');
    await wait(70);
    const again = await ask();
    expect((await type(again.html, { code: await codeSentTo(phone) })).status).toBe(303);
    const list = (await venue.api.get(`panel/client?search=${phone.slice(1)}`, { token: venue.admin })).body.data;
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({ provider_type: 'sms', phone, provider_id: phone });
  });

  test('types the number in the form of the location’s country', async () => {
    const at = `panel/location/${venue.location}`;
    await venue.update(at, { name: 'Kafe <Çınar>', country: 'Deutschland' });
    const german = await ask({ phone: `0151 ${23_000_000 + ++phones}` });
    expect(german.html, german.html.slice(-900)).toContain('Enter the code');
    venue.newMac();
    expect((await ask({ phone: phone.replace('+90', '0') })).html).toContain('This is not a mobile number');
    expect((await ask()).html).toContain('Enter the code');
    await venue.update(at, { name: 'Kafe <Çınar>', country: 'Türkiye' });
  });

  test('gets the code and every problem in its language', async () => {
    for (const [lang, title, wrong, over, text] of [
      ['tr', 'Kodu girin', 'Kod hatalı', 'Bu kod artık geçerli değil', 'Wi-Fi kodunuz'],
      ['en', 'Enter the code', 'Wrong code', 'This code is no longer valid', 'Your Wi-Fi code'],
      ['de', 'Code eingeben', 'Falscher Code', 'Dieser Code gilt nicht mehr', 'WLAN-Code'],
      ['ru', 'Введите код', 'Неверный код', 'Этот код больше не действует', 'код Wi-Fi'],
      ['ar', 'أدخل الرمز', 'الرمز غير صحيح', 'لم يعد هذا الرمز صالحًا', 'رمز الواي فاي'],
    ] as const) {
      venue.newMac();
      phone = `+90532${String(1_000_000 + ++phones)}`;
      const page = await ask({ lang });
      expect(page.html).toContain(title);
      expect(page.html).toContain(`<html lang="${lang}"`);
      const code = await codeSentTo(phone);
      expect(
        readdirSync(outbox()).some(name => readFileSync(path.join(outbox(), name), 'utf8').includes(`${code}`)),
      ).toBe(true);
      expect(
        readdirSync(outbox())
          .map(name => readFileSync(path.join(outbox(), name), 'utf8'))
          .join(),
      ).toContain(text);
      const bad = await type(page.html, { code: code === '000000' ? '000001' : '000000', lang });
      expect([bad.status, bad.html.includes('name="code"')]).toEqual([422, true]);
      expect(bad.html).toContain(`<title>${wrong}`);
      expect(bad.html).toContain(`<h1>${wrong}</h1>`);
      await venue.run(sql`update sms_codes set expires_at = now() - interval '1 second'`);
      const late = await type(page.html, { code, lang });
      expect(late.html).toContain(`<h1>${over}</h1>`);
      expect([late.status, late.html.includes('name="code"'), late.html.includes('name="again"')]).toEqual([
        422,
        false,
        true,
      ]);
    }
  });

  test('has five tries per code; the failures are recorded masked', async () => {
    const page = await ask();
    const code = await codeSentTo(phone);
    const other = code === '111111' ? '222222' : '111111';
    let html = page.html;
    expect((await type(html, { code: '' })).html).toContain('Something is missing');
    for (let i = 0; i < 5; i++) {
      const answer = await type(html, { code: other });
      expect(answer.html).toContain('Wrong code');
      ({ html } = answer);
    }
    expect((await type(html, { code })).html).toContain('no longer valid');
    const attempts = await venue.failures();
    expect(attempts.map(it => it.reason)).toEqual(['code_over', ...Array(5).fill('wrong_code')]);
    expect(attempts[0]).toMatchObject({
      provider_slug: 'sms',
      params: { phone: phone, code: '••••••••' },
    });
    await wait(70);
    const resent = await type(html, { again: '1' });
    expect(resent.status, resent.html).toBe(200);
    expect((await type(resent.html, { code: await codeSentTo(phone) })).status).toBe(303);
  });

  test('can get a new code after a pause, and the old one becomes invalid', async () => {
    const page = await ask();
    const first = await codeSentTo(phone);
    const soon = await type(page.html, { again: '1' });
    expect([soon.status, soon.html.includes('A code is on its way')]).toEqual([422, true]);
    expect(soon.html).toMatch(/in \d+ sec|in 1 min/);
    // Entering the number again leads to the pending code.
    const anew = await ask();
    expect(anew.html).toContain('A code is on its way');
    expect(anew.html).toContain('name="code"');
    await wait(70);
    await type(page.html, { again: '1' });
    const second = await codeSentTo(phone);
    if (first !== second) expect((await type(page.html, { code: first })).status).toBe(422);
    await venue.run(sql`update sms_codes set expires_at = now()`);
    expect((await type(page.html, { code: second })).html).toContain('no longer valid');
  });

  test('has to enter a valid number with an allowed prefix', async () => {
    expect((await ask({ phone: '' })).html).toContain('Something is missing');
    for (const bad of ['12', '0212 555 12 34x', '+0123456789', 'tel:+905321234567', '0212 555 12 34'])
      expect((await ask({ phone: bad })).html, bad).toContain('This is not a mobile number');
    expect((await ask({ phone: '٠٥٣٢٩٩٩٩٩٩٩' })).status).toBe(200);
    expect((await ask({ phone: '0049 151 23456789' })).status).toBe(200);
    const { settings } = venue.api.app as { settings: { SMS_PREFIXES: string[] } };
    settings.SMS_PREFIXES.push('+90');
    expect((await ask({ phone: '+49 151 23456780' })).html).toContain('This is not a mobile number');
    settings.SMS_PREFIXES.length = 0;
    expect(await venue.failures()).toEqual([]);
  });

  test('has to pass the security code before a code is sent, and its contact data is stored', async () => {
    const options = { require_security_code: true, security_code: 'kahve', collect_email: true, email_required: true };
    await venue.offer({ slug: 'sms', options });
    const used = async () => (await venue.rows<{ n: number }>(sql`select count(*) as n from sms_messages`))[0]!.n;
    const before = await used();
    expect((await ask({ email: 'g@b.co' })).html).toContain('Wrong security code');
    expect((await ask({ security_code: 'kahve' })).html).toContain('Something is missing');
    expect(await used()).toBe(before);
    const page = await ask({ security_code: 'kahve', email: 'G@b.co' });
    expect((await type(page.html, { code: await codeSentTo(phone) })).status).toBe(303);
    const [guest] = await venue.rows(sql`select email from visitors where phone = ${phone}`);
    expect(guest).toEqual({ email: 'g@b.co' });
  });
});

test('the agreements have to be accepted before the code is sent, and the consent is stored after the sign-in', async () => {
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '<p>Be kind</p>' } } });
  expect((await ask({ agree: '' })).html).toContain('Please accept the terms');
  const page = await ask();
  const count = async () => (await venue.rows(sql`select count(*) as n from consents`))[0].n;
  expect(await count()).toBe(0);
  expect((await type(page.html, { code: await codeSentTo(phone) })).status).toBe(303);
  expect(await count()).toBe(1);
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '' } } });
});

describe('messages', () => {
  test('count against the location’s limit, and its administrators are notified at 80 % and 100 %', async () => {
    const member = (await venue.api.user('member', { location: venue.location })).token;
    const refused = await venue.api.user('member', { location: venue.location, permissions: ['view-clients'] });
    await venue.run(sql`update locations set sms_limit = 5 where id = ${venue.location}`);
    const next = () => {
      venue.newMac();
      phone = `+90532${String(1_000_000 + ++phones)}`;
      return ask();
    };
    for (let i = 0; i < 5; i++) expect((await next()).status).toBe(200);
    const over = await next();
    expect([over.status, over.html.includes('No messages can be sent')]).toEqual([422, true]);
    const notifications = (await venue.api.get('panel/notification', { token: member })).body.data;
    expect(notifications.map((it: { data: object }) => it.data)).toMatchObject([
      { percent: 100, used: 5, limit: 5 },
      { percent: 80, used: 4, limit: 5 },
    ]);
    const turkish = await venue.api.get('panel/notification', { token: member, headers: { 'accept-language': 'tr' } });
    expect(turkish.body.data[0]).toMatchObject({
      title: expect.stringMatching(/SMS hakkının %100 kadarını kullandı$/),
      body: '5 SMS’in 5 tanesi gönderildi.',
    });
    expect(placeOfNotice(turkish.body.data[0])).toBe(`/locations/${venue.location}/edit`);
    expect((await venue.api.get('panel/notification', { token: refused.token })).body.data).toEqual([]);
    const row = (await venue.api.get(`panel/location/${venue.location}`, { token: venue.admin })).body.data;
    expect(row.sms_used).toBe(5);
  });

  test('are limited per number and per device', async () => {
    for (let i = 0; i < 5; i++) {
      venue.newMac();
      expect((await ask()).status, String(i)).toBe(200);
      await wait(70);
    }
    venue.newMac();
    const answer = await ask();
    expect([answer.status, answer.html.includes('Too many attempts')]).toEqual([429, true]);
    venue.newMac();
    for (let i = 0; i < 5; i++) expect((await ask({ phone: `+90533${String(1_000_000 + i)}` })).status).toBe(200);
    expect((await ask({ phone: '+905331999999' })).status).toBe(429);
  });

  test('are limited per device, also with simultaneous requests for many numbers', async () => {
    const { html } = await venue.captive.get(venue.arrival());
    const numbers = Array.from({ length: 8 }, (_, i) => `+90534${String(1_000_000 + i)}`);
    const all = await Promise.all(numbers.map(number => type(html, { phone: number })));
    expect(all.map(it => it.status).sort()).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
    const rows = await venue.rows<{ sms: number }>(
      sql`select count(*)::int as sms from sms_messages where client_mac = ${venue.mac}::macaddr`,
    );
    expect(rows).toEqual([{ sms: 5 }]);
  });

  test('are sent once for two simultaneous requests', async () => {
    const { html } = await venue.captive.get(venue.arrival());
    const both = await Promise.all([1, 2, 3].map(() => type(html, { phone })));
    expect(both.map(it => it.status).sort()).toEqual([200, 422, 422]);
  });

  test('are sent to the operator’s gateway in its format, and retried after a failure', async () => {
    const asked: { url: string; method: string; type: string; key: string; body: string }[] = [];
    let status = 500;
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', part => (body += part));
      request.on('end', () => {
        const { 'content-type': type = '', 'x-key': key } = request.headers;
        asked.push({ url: request.url!, method: request.method!, type, key: String(key), body });
        response.writeHead(status).end('no');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    afterFile(() => {
      server.closeAllConnections();
      server.close();
    });
    await sendMessages(venue.api.app);
    const settings = venue.api.app.settings as Record<string, unknown>;
    settings['SMS_URL'] = `http://127.0.0.1:${(server.address() as { port: number }).port}/send?to={number}&t={text}`;
    settings['SMS_HEADERS'] = { 'x-key': 'secret', 'content-type': 'text/xml' };
    settings['SMS_BODY'] = '<m to="{to}">{text}</m>';
    const page = await ask();
    await sendMessages(venue.api.app);
    expect(asked).toHaveLength(1);
    status = 200;
    await venue.run(sql`update sms_messages set next_at = now() where state = 'waiting'`);
    await sendMessages(venue.api.app);
    expect(asked).toHaveLength(2);
    const { url, method, type: sentType, key, body } = asked[1]!;
    expect([method, sentType, key]).toEqual(['POST', 'text/xml', 'secret']);
    expect(new URL(url, 'http://x').searchParams.get('to')).toBe(phone.slice(1));
    // The location is called Kafe <Çınar>; a message has plain letters.
    expect(body).toMatch(new RegExp(`^<m to="\\${phone}">Your Wi-Fi code for Kafe &lt;Çinar&gt;: \\d{6}\\.`));
    expect((await type(page.html, { code: /(\d{6})/.exec(body.split(': ')[1]!)![1]! })).status).toBe(303);
    settings['SMS_URL'] = undefined;
  });
});

describe('a message that waited', () => {
  const states = () =>
    venue.rows<{ state: string; data: string | null; attempts: number; last_error: string | null }>(
      sql`select state, data, attempts, last_error from sms_messages where client_mac = ${venue.mac}::macaddr order by id`,
    );
  /** Moves the clock: what was queued, and the code, are as old. */
  const pass = async (seconds: number) => {
    await wait(seconds);
    await venue.run(sql`
      with a as (update sms_codes set expires_at = expires_at - make_interval(secs => ${seconds}))
      update sms_messages set next_at = next_at - make_interval(secs => ${seconds}), expires_at = expires_at - make_interval(secs => ${seconds})`);
  };
  const sent = () => textsTo(phone).length;

  test('until its code expired is not sent', async () => {
    expect((await ask()).html).toContain('name="code"');
    await pass(301);
    const before = sent();
    await sendMessages(venue.api.app);
    expect(sent()).toBe(before);
    const given = { state: 'failed', data: null, last_error: 'The code expired before it was sent' };
    expect(await states()).toEqual([{ ...given, attempts: 0 }]);
  });

  test('until the guest asked for another code is not sent: the newer one is', async () => {
    await ask();
    await pass(70);
    const again = await ask();
    expect(again.html).toContain('name="code"');
    const before = sent();
    const code = await codeSentTo(phone);
    expect(sent()).toBe(before + 1);
    expect((await states()).map(it => it.state)).toEqual(['failed', 'sent']);
    expect((await type(again.html, { code })).status).toBe(303);
  });

  const used = async () => (await venue.rows<{ sms_used: number }>(sql`select sms_used from locations`))[0]!.sms_used;
  const due = () => venue.run(sql`update sms_messages set next_at = now() where state = 'waiting'`);

  test('and was never accepted does not count against the limit of the location', async () => {
    const settings = venue.api.app.settings as Record<string, unknown>;
    onTestFinished(() => void (settings['SMS_URL'] = undefined));
    // Nothing answers there.
    settings['SMS_URL'] = 'http://127.0.0.1:9/{number}/{text}';
    await venue.run(sql`update locations set sms_limit = 1`);
    expect((await ask()).html).toContain('name="code"');
    for (const _ of [1, 2, 3]) {
      await sendMessages(venue.api.app);
      expect(await used(), 'it is still tried').toBe(1);
      await due();
    }
    await sendMessages(venue.api.app);
    expect(await states()).toMatchObject([{ state: 'failed', data: null }]);
    expect(await used()).toBe(0);
    // The pause of the number, and its messages in an hour, count as before.
    expect((await ask()).status).toBe(422);
    settings['SMS_URL'] = undefined;
    await pass(70);
    expect((await ask()).html).toContain('name="code"');
    await codeSentTo(phone);
    expect(await used()).toBe(1);
  });

  test('until its code expired, or was replaced, does not count either', async () => {
    await ask();
    await pass(70);
    await ask();
    expect(await used()).toBe(1);
    await pass(301);
    await sendMessages(venue.api.app);
    expect(await used()).toBe(0);
  });

  test('counts when the gateway accepts it although its code has been replaced meanwhile', async () => {
    let accept = (): void => undefined;
    const accepted = new Promise<string>(resolve => {
      accept = () => resolve('1');
    });
    let asked = (): void => undefined;
    const isAsked = new Promise<void>(resolve => {
      asked = resolve;
    });
    const send = () => {
      asked();
      return accepted;
    };
    const integrationId = newId();
    await venue.run(sql`insert into integrations (id, location_id, kind, name, connection)
      values (${integrationId}, ${venue.location}, 'netgsm', 'Netgsm', '')`);
    onTestFinished(async () => void (await venue.run(sql`delete from integrations where id = ${integrationId}`)));
    await ask();
    const sending = sendMessages(venue.api.app, async () => ({ integrationId, reportsDelivery: false, send }));
    await isAsked;
    await pass(70);
    await ask();
    expect(await used()).toBe(1);
    accept();
    await sending;
    expect((await states()).map(it => it.state)).toEqual(['sent', 'waiting']);
    expect(await used()).toBe(2);
  });

  test('without a code, such as a receipt, is sent all the same', async () => {
    await ask();
    await pass(301);
    await venue.run(sql`update sms_messages set expires_at = null where client_mac = ${venue.mac}::macaddr`);
    const before = sent();
    await sendMessages(venue.api.app);
    expect(sent()).toBe(before + 1);
  });
});

describe('an attacker', () => {
  test('cannot use another device’s code or page, or skip the first step', async () => {
    const page = await ask();
    const code = await codeSentTo(phone);
    const { html } = await venue.captive.get(venue.arrival());
    expect((await type(html, { code })).status).toBe(400);
    expect((await type(html, { code, phone })).status).toBe(400);
    expect((await type(page.html, { phone })).status).toBe(400);
    // Another method rejects the state of the second step.
    const state = stateOf(page.html);
    const other = { state, method: 'username', username: 'x', password: 'y' };
    expect((await venue.captive.form(venue.signInAt, other)).status).toBe(400);
    const victim = venue.mac;
    venue.newMac();
    const mine = await ask();
    expect(mine.html).not.toContain('name="code"');
    expect(venue.mac).not.toBe(victim);
    const forged = Buffer.from(state.split('.')[0]!, 'base64url').toString().replace(victim, venue.mac);
    const signature = state.split('.')[1]!;
    const made = `${Buffer.from(forged).toString('base64url')}.${signature}`;
    expect((await venue.captive.form(venue.signInAt, { state: made, method: 'sms', code })).status).toBe(400);
    expect((await type(page.html, { code })).status).toBe(303);
  });

  test('cannot break the page or inject markup with oversized or malformed input', async () => {
    const page = await ask();
    expect((await type(page.html, { code: '1'.repeat(500) })).status).toBe(422);
    expect((await type(page.html, { code: 'a\0' })).status).toBe(400);
    expect((await type(page.html, { again: 'x'.repeat(5000) })).status).toBe(422);
    const hostile = await ask({ phone: '"><script>alert(1)</script>' });
    expect([hostile.status, hostile.html]).toEqual([422, expect.not.stringContaining('<script>alert')]);
  });
});
