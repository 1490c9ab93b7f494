import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { eraseIdle } from '#features/visitors/retention.queries.ts';
import type { Body } from '#test/harness.ts';
import type { PageAnswer } from '../guests/testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../guests/testing/venue.ts';
import { forgetOldProofs } from './consents.queries.ts';

const emailText = 'You may send me news by e-mail.';
let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ COA_TIMEOUT: '1' });
  await venue.update(`panel/portal/${venue.portal.id}`, {
    agreements: {
      general: { en: '<p>Be kind</p>' },
      kvkk: { en: '<p>What we keep</p>' },
      marketing_email: { en: emailText, tr: 'E-posta gönderebilirsiniz.' },
      marketing_sms: { en: 'You may send me news by SMS.' },
      marketing_call: { en: 'You may call me about news.' },
    },
  });
}, 120_000);
newGuestEachTest(() => venue);

/** The value of each box of a page, by its name. */
const boxesOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([box]) => [
      /name="([^"]*)"/.exec(box)![1]!,
      /value="([^"]*)"/.exec(box)![1]!,
    ]),
  );
const tickedOf = (html: string): string[] =>
  [...html.matchAll(/<input[^>]*type="checkbox"[^>]*checked[^>]*>/g)].map(([box]) => /name="([^"]*)"/.exec(box)![1]!);

async function signIn(fields: Record<string, string>, allow: readonly string[], browser: Record<string, string> = {}) {
  const page = await venue.captive.get(venue.arrival(), browser);
  const boxes = boxesOf(page.html);
  const ticked = Object.fromEntries(['agree', 'notice', ...allow].map(name => [name, boxes[name] ?? '']));
  const all = { state: stateOf(page.html), lang: 'en', ...ticked, ...fields };
  return { page, answer: await venue.captive.form(venue.signInAt, all, browser) };
}

/** Lets a guest in, and opens its own data. */
async function openData(answer: PageAnswer) {
  expect(answer.status, answer.html.slice(-400)).toBe(303);
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 1 });
  const cookie = cookiesOf(answer);
  return { cookie, page: await venue.captive.get(`/w/${venue.nas}/my-data?lang=en`, { cookie }) };
}
const list = async (query = ''): Promise<Body[]> => {
  const answer = await venue.api.get(`panel/consent?${query}`, { token: venue.admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const newest = async (address: string) => (await list(`search=${encodeURIComponent(address)}`))[0]!;
const webhookEvents = (location = venue.location) =>
  venue.rows<{ event: string; body: string }>(sql`
    select event, body from webhook_deliveries where location_id = ${location} and event like 'consent%' order by id`);

describe('the sign-in page', () => {
  test('asks once, apart for each purpose, with no box ticked and the notice linked beside them', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } }, { slug: 'username' }, { slug: 'temp' });
    const { html } = await venue.captive.get(venue.arrival());
    expect(html.match(/type="checkbox"/g)).toHaveLength(5);
    expect(Object.keys(boxesOf(html))).toEqual(['agree', 'notice', 'allow_email', 'allow_sms', 'allow_call']);
    expect(tickedOf(html)).toEqual([]);
    expect(html.match(/<input[^>]*required[^>]*name="allow_/)).toBeNull();
    const form = /<form id="form-email".*?<\/form>/s.exec(html)![0];
    expect(form.indexOf('value="kvkk"')).toBeGreaterThan(form.indexOf('name="notice"'));
    expect(form.indexOf('value="kvkk"')).toBeLessThan(form.indexOf('class="button"'));
  });

  test('offers only the channels whose address its form asks for, and opens another method with what was typed', async () => {
    await venue.offer({ slug: 'username' }, { slug: 'email' });
    const first = await venue.captive.get(venue.arrival());
    expect(Object.keys(boxesOf(first.html))).toEqual(['agree', 'notice']);
    const { agree } = boxesOf(first.html);
    const fields = {
      state: stateOf(first.html),
      lang: 'en',
      method: 'username',
      username: 'a',
      agree: agree!,
      notice: '1',
    };
    const other = await venue.captive.form(venue.signInAt, { ...fields, go: 'email' });
    expect(other.html).toContain('id="form-email"');
    expect(other.html).not.toContain('id="form-username"');
    expect(Object.keys(boxesOf(other.html))).toEqual(['agree', 'notice', 'allow_email']);
    expect(tickedOf(other.html)).toEqual(['agree', 'notice']);
  });

  test('lets a guest in who allows nothing, and nobody who has not accepted both', async () => {
    await venue.offer({ slug: 'email' });
    const address = 'nothing@example.com';
    const { answer } = await signIn({ method: 'email', email: address }, []);
    expect(answer.status).toBe(303);
    expect(await list(`search=${address}`)).toEqual([]);
    venue.newMac();
    const refused = await signIn({ method: 'email', email: address, notice: '' }, ['allow_email']);
    expect(refused.answer.html).toContain('Please accept the terms');
    expect(tickedOf(refused.answer.html)).toEqual(['agree', 'allow_email']);
    expect(await list(`search=${address}`)).toEqual([]);
  });

  test('asks for the address of an allowed channel', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } });
    const { answer } = await signIn({ method: 'email', email: 'nophone@example.com' }, ['allow_sms']);
    expect(answer.html).toContain('Something is missing');
    expect(answer.html).toMatch(/aria-invalid="true"[^>]*name="phone"/);
  });

  test('records the sentence that was seen, and refuses a made-up one', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } });
    const { answer } = await signIn(
      { method: 'email', email: 'yes@example.com', phone: '0532 123 45 67', allow_sms: '0'.repeat(32) },
      ['allow_email', 'allow_call'],
    );
    expect(answer.status).toBe(303);
    const rows = await list(`location_id=${venue.location}&search=yes@example.com`);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      channel: 'email',
      state: 'given',
      recipient: 'yes@example.com',
      confirmed: false,
      source: 'sign-in',
      text: emailText,
      language: 'en',
      withdrawn_at: null,
    });
    const calls = await list('search=%2B905321234567');
    expect(calls.map(it => it.channel)).toEqual(['call']);
  });

  test('a guest who is recognised by a MAC alone changes no consent', async () => {
    await venue.offer({ slug: 'email' });
    const { answer } = await signIn({ method: 'email', email: 'owner@example.com' }, []);
    expect(answer.status).toBe(303);
    const stranger = await signIn({ method: 'email', email: 'owner@example.com' }, ['allow_email']);
    expect(stranger.answer.status).toBe(303);
    expect(await list('search=owner@example.com')).toEqual([]);
  });
});

describe('the own-data page', () => {
  test('withdraws and gives consents, for this visitor only', async () => {
    await venue.offer({ slug: 'email' });
    await venue.create('panel/integration', {
      location_id: venue.location,
      integration_id: 'webhook',
      name: 'CRM',
      params: {
        connection: {
          type: 'webhook',
          url: 'https://crm.example/hook',
          events: ['consent.given', 'consent.withdrawn'],
        },
      },
    });
    const { answer } = await signIn({ method: 'email', email: 'mine@example.com' }, ['allow_email']);
    const { cookie, page } = await openData(answer);
    expect(page.html).toContain(emailText);
    expect(page.html).toContain('/agreement/kvkk?');
    expect(tickedOf(page.html)).toEqual(['allow_email']);
    const at = `/w/${venue.nas}/my-data/marketing`;
    const untick = { lang: 'en', shown: 'email' };
    expect((await venue.captive.form(at, untick)).status).toBe(404);
    expect((await newest('mine@example.com')).state).toBe('given');
    venue.newMac();
    const other = await signIn({ method: 'email', email: 'other@example.com' }, []);
    const stranger = await openData(other.answer);
    await venue.captive.form(at, untick, { cookie: stranger.cookie });
    expect((await newest('mine@example.com')).state).toBe('given');

    const saved = await venue.captive.form(at, untick, { cookie });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `/w/${venue.nas}/my-data?lang=en&saved=1`]);
    const after = await venue.captive.get(saved.headers.get('location')!, { cookie });
    expect(after.html).toContain('Your choice is saved.');
    expect(tickedOf(after.html)).toEqual([]);
    const withdrawn = await newest('mine@example.com');
    expect(withdrawn).toMatchObject({ state: 'withdrawn', withdrawn_by: 'guest' });
    // The same form again changes nothing.
    await venue.captive.form(at, untick, { cookie });
    expect((await newest('mine@example.com')).withdrawn_at).toBe(withdrawn.withdrawn_at);

    const { allow_email = '' } = boxesOf(after.html);
    await venue.captive.form(at, { ...untick, allow_email: 'f'.repeat(32) }, { cookie });
    expect((await newest('mine@example.com')).state).toBe('withdrawn');
    await venue.captive.form(at, { ...untick, allow_email }, { cookie });
    expect(await newest('mine@example.com')).toMatchObject({ state: 'given', source: 'own-data', text: emailText });
    expect((await list('search=mine@example.com')).map(it => it.state)).toEqual(['given', 'withdrawn']);
    const events = (await webhookEvents()).map(it => [it.event, JSON.parse(it.body).data.recipient]);
    expect(events).toEqual([
      ['consent.given', 'mine@example.com'],
      ['consent.withdrawn', 'mine@example.com'],
      ['consent.given', 'mine@example.com'],
    ]);
  });

  test('a consent ends when somebody else changes the address or number', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } });
    const typed = { method: 'email', email: 'typo@example.com', phone: '0532 222 00 01' };
    const { answer } = await signIn(typed, ['allow_email', 'allow_sms', 'allow_call']);
    expect(answer.status, answer.html.slice(-300)).toBe(303);
    const before = await newest('typo@example.com');
    const ends = async () =>
      (await list(`visitor_id=${before.visitor.id}`)).map(it => [it.channel, it.recipient, it.withdrawn_by]).sort();
    const change = (body: object) => venue.update(`panel/client/${before.visitor.id}`, body);
    await change({ name: 'Ada' });
    await change({ email: 'TYPO@example.com' });
    const given = [
      ['call', '+905322220001', null],
      ['email', 'typo@example.com', null],
      ['sms', '+905322220001', null],
    ];
    expect(await ends(), 'the same address').toEqual(given);
    await change({ email: 'ada@example.com' });
    expect(await ends()).toEqual([given[0], ['email', 'typo@example.com', 'address'], given[2]]);
    await change({ phone: null });
    expect((await ends()).map(it => it[2])).toEqual(['address', 'address', 'address']);
    expect(await list('search=ada@example.com'), 'nobody has allowed news to it').toEqual([]);
    const iys = (await venue.api.get('panel/consent/iys', { token: venue.admin })).text;
    expect(iys).toMatch(/typo@example\.com,BIREYSEL,RET,EPOSTA/);
  });

  test('a consent to another sentence, or for another number, takes the place of the one before', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } });
    const both = ['allow_email', 'allow_sms'];
    // Without the cookie of the first sign-in, the guest would be known by its MAC alone.
    let browser = {};
    const come = async (phone: string, allow = both) => {
      const { answer } = await signIn({ method: 'email', email: 'renew@example.com', phone }, allow, browser);
      expect(answer.status, answer.html.slice(-300)).toBe(303);
      browser = { cookie: cookiesOf(answer) };
      return answer;
    };
    const states = async (address: string) =>
      (await list(`search=${encodeURIComponent(address)}`)).map(it => [
        it.channel,
        it.withdrawn_by ?? it.state,
        it.text,
      ]);
    const sms = 'You may send me news by SMS.';
    await come('0532 111 00 01');
    await come('0532 111 00 01');
    expect(await states('+905321110001'), 'the same once more').toEqual([['sms', 'given', sms]]);
    await come('0532 111 00 02');
    expect(await states('+905321110001')).toEqual([['sms', 'renewal', sms]]);
    expect(await states('+905321110002')).toEqual([['sms', 'given', sms]]);
    expect(await states('renew@example.com')).toEqual([['email', 'given', emailText]]);

    const reword = (text: string) =>
      venue.update(`panel/portal/${venue.portal.id}`, { agreements: { marketing_email: { en: text } } });
    await reword('Other news, too.');
    const last = await come('', ['allow_email']);
    const now = [
      ['email', 'given', 'Other news, too.'],
      ['email', 'renewal', emailText],
    ];
    expect(await states('renew@example.com')).toEqual(expect.arrayContaining(now));
    const iys = (await venue.api.get('panel/consent/iys', { token: venue.admin })).text;
    expect(iys).toMatch(/renew@example\.com,BIREYSEL,ONAY,EPOSTA/);
    expect(iys).toMatch(/\+905321110001,BIREYSEL,RET,MESAJ/);
    expect(iys).toMatch(/\+905321110002,BIREYSEL,ONAY,MESAJ/);

    // The own-data page shows the sentence that the guest has allowed, so keeping its box allows no other.
    await reword('A third sentence.');
    const { cookie, page } = await openData(last);
    expect(page.html).toContain('Other news, too.');
    const ticked = Object.fromEntries(Object.entries(boxesOf(page.html)).filter(([name]) => both.includes(name)));
    await venue.captive.form(
      `/w/${venue.nas}/my-data/marketing`,
      { lang: 'en', shown: 'email sms', ...ticked },
      { cookie },
    );
    expect(await states('renew@example.com')).toEqual(expect.arrayContaining(now));
    expect(await states('renew@example.com')).toHaveLength(2);
    await reword(emailText);
  });

  test('a deleted guest leaves the proof without the person', async () => {
    await venue.offer({ slug: 'email' });
    const { answer } = await signIn({ method: 'email', email: 'leaves@example.com' }, ['allow_email']);
    const { cookie } = await openData(answer);
    const before = await newest('leaves@example.com');
    expect((await venue.captive.form(`/w/${venue.nas}/my-data/delete`, { lang: 'en' }, { cookie })).status).toBe(303);
    const proof = await newest('Leaves@example.com');
    expect(proof).toMatchObject({
      ...{
        id: before.id,
        state: 'withdrawn',
        withdrawn_by: 'erasure',
        recipient: null,
        visitor: null,
        confirmed: null,
      },
      text: emailText,
      given_at: before.given_at,
    });
    const [row] = await venue.rows(sql`select client_mac, visitor_id from marketing_consents where id = ${before.id}`);
    expect(row).toEqual({ client_mac: null, visitor_id: null });
    const last = (await webhookEvents()).at(-1)!;
    expect(JSON.parse(last.body)).toMatchObject({
      type: 'consent.withdrawn',
      data: { id: before.id, visitor_id: before.visitor.id, recipient: null, by: 'erasure' },
    });
    expect(JSON.stringify(await venue.rows(sql`select * from webhook_deliveries`))).not.toContain('leaves@example.com');
  });

  test('the erasure of idle visitors and of contact data keep the proof only', async () => {
    await venue.offer({ slug: 'email' });
    await signIn({ method: 'email', email: 'idle@example.com' }, ['allow_email']);
    await venue.run(sql`
      update visitors set updated_at = now() - interval '9 years', session_start_at = null, session_end_at = null where email = 'idle@example.com'`);
    await venue.api.app.db.withSystem(tx => eraseIdle(tx, { days: 800, lawDays: 730, limit: 10 }));
    expect(await newest('idle@example.com')).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: 'erasure',
      recipient: null,
    });
  });

  test('keep the proof of an ended consent for three years', async () => {
    await venue.offer({ slug: 'email' });
    const given = async (email: string) => {
      venue.newMac();
      await signIn({ method: 'email', email }, ['allow_email']);
      return (await newest(email)).id as string;
    };
    const [old, young, known] = [
      await given('old@example.com'),
      await given('young@example.com'),
      await given('known@example.com'),
    ];
    const ended = (id: string, ago: string) =>
      venue.run(sql`
        update marketing_consents set withdrawn_at = now() - ${ago}::interval, withdrawn_by = 'erasure', visitor_id = null, recipient = null
        where id = ${id}`);
    await ended(old, '3 years 1 day');
    await ended(young, '3 years -1 day');
    await venue.run(sql`
      update marketing_consents set withdrawn_at = now() - interval '4 years', withdrawn_by = 'guest' where id = ${known}`);
    await venue.api.app.db.withSystem(forgetOldProofs);
    const left = await venue.rows<{ id: string }>(
      sql`select id from marketing_consents where id = any(${[old, young, known]}) order by id`,
    );
    expect(left.map(it => it.id)).toEqual([young, known].sort());
  });
});

describe('administrators', () => {
  test('filter, export and withdraw', async () => {
    await venue.offer({ slug: 'email', options: { collect_phone: true } });
    const { answer } = await signIn({ method: 'email', email: 'list@example.com', phone: '+49 151 23456789' }, [
      'allow_email',
      'allow_sms',
    ]);
    expect(answer.status).toBe(303);
    const found = await newest('list@example.com');
    const ids = async (query: string) => (await list(query)).map(it => it.id);
    expect(await ids('channels=email&states=given')).toContain(found.id);
    expect(await ids('channels=call')).not.toContain(found.id);
    expect(await ids('states=withdrawn')).not.toContain(found.id);
    expect(await ids('from=2999-01-01')).toEqual([]);
    expect(await ids('to=2000-01-01')).toEqual([]);
    expect(await ids(`visitor_id=${found.visitor.id}`)).toHaveLength(2);
    const bad = await venue.api.get('panel/consent?channels=fax', { token: venue.admin });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['channels']]);

    // The version of a sentence: the list, the file and the choice agree.
    const textsOf = async (token = venue.admin, query = '') =>
      (await venue.api.get(`panel/consent/text?${query}`, { token })).body.data as Body[];
    const offered = (await textsOf()).find(it => it.version === found.version)!;
    expect(offered).toMatchObject({ text: emailText, channel: 'email', language: 'en' });
    const ofVersion = await list(`versions=${found.version}&per_page=1000`);
    expect(new Set(ofVersion.map(it => it.text))).toEqual(new Set([emailText]));
    expect(ofVersion).toHaveLength(offered.consents);
    const versionFile = await venue.api.get(`panel/consent/export?versions=${found.version}`, { token: venue.admin });
    expect(versionFile.text.trim().split('\r\n').slice(1)).toHaveLength(ofVersion.length);
    expect((await textsOf(venue.admin, 'channels=sms')).map(it => it.channel)).not.toContain('email');
    const odd = await venue.api.get('panel/consent?versions=newest', { token: venue.admin });
    expect([odd.status, Object.keys(odd.body.errors)]).toEqual([422, ['versions']]);

    const csv = await venue.api.get('panel/consent/export?channels=email', { token: venue.admin });
    expect(csv.headers.get('content-disposition')).toContain('consents.csv');
    expect(csv.text).toContain('list@example.com');
    expect(csv.text).toContain(emailText);
    expect(csv.text).toMatch(
      /\r\nE-mail,list@example\.com,No,list@example\.com,[^,]+,Given,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03,,,Sign-in page,en,/,
    );

    const iys = await venue.api.get('panel/consent/iys', { token: venue.admin });
    const lines = iys.text.trim().split('\r\n');
    expect(lines[0]).toBe('consentDate,source,recipient,recipientType,status,type');
    expect(lines.find(it => it.includes('list@example.com'))).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,HS_WEB,list@example\.com,BIREYSEL,ONAY,EPOSTA$/,
    );
    expect(lines.find(it => it.includes('+905321234567'))).toMatch(/,HS_WEB,\+905321234567,BIREYSEL,ONAY,ARAMA$/);
    expect(iys.text).not.toContain('+49');

    const at = `panel/consent/${found.id}/withdraw`;
    const done = await venue.api.post(at, { token: venue.admin, body: {} });
    expect(done.body.data).toMatchObject({ state: 'withdrawn', withdrawn_by: 'staff' });
    const again = await venue.api.post(at, { token: venue.admin, body: {} });
    expect(again.body.data.withdrawn_at).toBe(done.body.data.withdrawn_at);
    const later = await venue.api.get('panel/consent/iys', { token: venue.admin });
    expect(later.text).toMatch(/list@example\.com,BIREYSEL,RET,EPOSTA/);
  });

  test('see the consents of their own location only', async () => {
    const elsewhere = await venue.create('panel/location', { name: 'Elsewhere' });
    const member = await venue.api.user('member', { location: elsewhere.id });
    const found = (await list('channels=email'))[0]!;
    const theirs = await venue.api.get(`panel/consent?location_id=${venue.location}`, { token: member.token });
    expect(theirs.body.data).toEqual([]);
    const texts = (token: string, query = '') => venue.api.get(`panel/consent/text${query}`, { token });
    expect((await texts(member.token, `?location_id=${venue.location}`)).body.data).toEqual([]);
    expect((await texts(member.token)).body.data).toEqual([]);
    const at = `panel/consent/${found.id}/withdraw`;
    expect((await venue.api.post(at, { token: member.token, body: {} })).status).toBe(404);
    expect((await venue.api.get('panel/consent/iys', { token: member.token })).text.trim().split('\r\n')).toHaveLength(
      1,
    );
  });
});
