import { randomUUID } from 'node:crypto';
import { api as contract } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type GuestState, packState, type Visit } from '#features/guests/guest-state.ts';
import { cookiesOf, login, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { writePass } from '#lib/guest-pass.ts';
import type { Body } from './harness.ts';
import { createGuard, type RowHash, rowHash, tablesOf } from './row-hash.ts';

/*
 * Asks every address of the guest portal as people who are not the guest: a stranger who knows all that is public, guests of
 * another location and of another tenant with all that the portal signed for them, and a person who finds texts that the
 * portal signed for the guest after they have expired.
 */

const day = 86_400_000;

interface Attacker {
  readonly name: string;
  readonly states: readonly string[];
  readonly cookies: string;
  readonly pass: string;
}
interface Person {
  readonly visitor: string;
  readonly session: string;
  readonly survey: string;
}

const victim = { email: 'kurban@example.com', phone: '+905321112233' };
const answer = 'Yalnızca-kurban yazdı';

let venue: Venue;
let attackers: readonly Attacker[];
let secrets: readonly string[];
let ofVictim: RowHash;
let things: Record<string, string>;
let session = '';
let ownCookie = '';
const expectUnchanged = createGuard((after, before) => expect(after).toBe(before));

beforeAll(async () => {
  venue = await startVenue();
  venue.newMac();
  await venue.offer(
    { slug: 'email', options: { collect_phone: true, remember: 'cookie' } },
    { slug: 'username', options: { remember: 'cookie' } },
    { slug: 'sms', options: {} },
  );
  await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { kvkk: { en: '<p>Be kind</p>' } } });
  const ad = { name: 'Ad', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' };
  things = {
    nas: venue.nas,
    kind: 'kvkk',
    portalId: venue.portal.id,
    ad: (await venue.create(`panel/portal/${venue.portal.id}/ads`, ad)).id,
    tenant: await venue.api.tenantId('panel'),
    file: `logo-${randomUUID()}.webp`,
    number: '1',
  };
  const person = await visitOfVictim();
  ({ session } = person);
  secrets = [victim.email, victim.phone, answer, person.visitor, person.session];
  ofVictim = await hashOf(person.visitor);
  attackers = [
    stranger(person),
    await guestOf('a guest of another location', person, { token: venue.admin, tenant: 'panel' }),
    await guestOf('a guest of another tenant', person, {
      token: (await venue.api.user('tenant-admin', { tenant: 'elsewhere' })).token,
      tenant: 'elsewhere',
    }),
    somebodyWithOldThings(person),
  ];
}, 120_000);

/** Signs the victim in, and lets it answer a survey. */
async function visitOfVictim(): Promise<Person> {
  const signedIn = await venue.submit({ method: 'email', ...victim });
  expect(signedIn.status, signedIn.html.slice(-500)).toBe(303);
  const ticket = new URL(signedIn.headers.get('location')!).searchParams.get('username')!;
  ownCookie = cookiesOf(signedIn);
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 2 });
  const [row] = await venue.rows<{ id: string; visitor_id: string }>(sql`select id, visitor_id from online_sessions`);
  const question = { label: { en: 'How was it?' }, answer_type: 'text', type: 'single', answers: [] };
  const survey = await venue.create(`panel/portal/${venue.portal.id}/surveys`, { name: 'S', questions: [question] });
  await venue.run(sql`
    insert into survey_responses (id, survey_id, location_id, device_id, client_mac, visitor_id, session_id, language, answers)
    values (${randomUUID()}, ${survey.id}, ${venue.location}, ${venue.device.id}, ${venue.mac}::macaddr, ${row!.visitor_id}, ${row!.id}, 'en',
      ${JSON.stringify({ [randomUUID()]: answer })})`);
  return { visitor: row!.visitor_id, session: row!.id, survey: survey.id };
}

/** All rows about the victim, and the mails to it. */
async function hashOf(visitor: string): Promise<RowHash> {
  const { pool } = venue.api.app.db;
  const tables = await tablesOf(pool, { column: 'visitor_id' });
  expect(tables).toEqual(expect.arrayContaining(['online_sessions', 'remembered_guests', 'consents', 'tickets']));
  return rowHash(pool, 'of the guest', [
    { table: 'visitors', where: `id = '${visitor}'` },
    { table: 'erased_guests' },
    { table: 'session_commands' },
    { table: 'outbox_mails', where: `address = '${victim.email}'` },
    ...tables.map(table => ({ table, where: `visitor_id = '${visitor}'` })),
  ]);
}

/** Everything that the portal signs for a visit. */
function statesOf(visit: Visit, { visitor, survey }: Pick<Person, 'visitor' | 'survey'>, now = Date.now()): string[] {
  const { phone, email } = victim;
  const all: GuestState[] = [
    { step: 'sign-in', visit },
    { step: 'code', visit, phone, email, agree: '' },
    { step: 'survey', visit, survey, moment: 'login_successful' },
    { step: 'full', visit, visitor, method: 'email', email, phone, agreed: '' },
    { step: 'online', visit, visitor },
    { step: 'data-mail', visit, visitor },
  ];
  return all.map(it => packState(venue.api.app.secrets, it, now));
}

const visitOfGuest = (nas = venue.nas): Visit => ({ nas, mac: venue.mac, ip: '10.5.50.9', login, orig: '' });
const passOf = (tenantId: string, visitorId: string, password: string) =>
  writePass(venue.api.app.secrets, { tenantId, visitorId }, password);

function stranger(person: Person): Attacker {
  const madeUp = statesOf(visitOfGuest(), person).map(it => `${it.split('.')[0]}.${'0'.repeat(64)}`);
  // The ids of the tenant and the visitor, and a guessed signature.
  const pass = Buffer.from(`${things['tenant']}${person.visitor}${'0'.repeat(32)}`.replaceAll('-', ''), 'hex').toString(
    'base64url',
  );
  return { name: 'a stranger', states: ['', '.', ...madeUp], cookies: `portico_visit=${madeUp[4]}`, pass };
}

/** A guest who is signed in elsewhere, and names this venue's device with it. */
async function guestOf(name: string, { survey }: Person, { token, tenant }: { token: string; tenant: string }) {
  const create = async (at: string, body: unknown): Promise<Body> => {
    const made = await venue.api.post(at, { token, tenant, body });
    expect(made.status, made.text).toBe(201);
    return made.body.data;
  };
  const location_id = (await create('panel/location', { name: 'Elsewhere' })).id;
  const portal = await create('panel/portal', { name: 'Lobby', location_id });
  const providers = [{ slug: 'username', order: 0, options: { remember: 'cookie' } }];
  await venue.api.put(`panel/portal/${portal.id}`, { token, tenant, body: { providers } });
  const { brand } = venue.device;
  const form = { name: 'Router', brand_id: brand.id, mac_address: `02:00:00:00:01:0${tenant.length}`, location_id };
  const device = await create('panel/device', form);
  const { nas_identifier: nas } = (await venue.api.get(`panel/device/${device.id}`, { token, tenant })).body.data;
  const account = { provider_type: 'username', username: 'komsu', password: 'parola 1' };
  const visitor = (await create('panel/client', { name: 'Neighbour', location_id, ...account })).id;
  const visit = visitOfGuest(nas);
  const fields = {
    state: packState(venue.api.app.secrets, { step: 'sign-in', visit }),
    method: 'username',
    ...account,
  };
  const signedIn = await venue.captive.form(`/w/${nas}/sign-in`, fields);
  expect(signedIn.status, signedIn.html.slice(-500)).toBe(303);
  const own = cookiesOf(signedIn);
  const known = cookiesOf(await venue.submit({ method: 'email', email: 'x@example.com' }));
  expect(known).not.toContain('portico_guest_');
  return {
    name,
    states: statesOf(visit, { visitor, survey }),
    cookies: own,
    pass: passOf(await venue.api.tenantId(tenant), visitor, 'parola 1'),
  };
}

function somebodyWithOldThings(person: Person): Attacker {
  const states = statesOf(visitOfGuest(), person, Date.now() - 8 * day);
  const pass = passOf(things['tenant']!, person.visitor, 'an earlier password');
  return { name: 'somebody with expired states', states, cookies: `portico_visit=${states[4]}`, pass };
}

const placeOf = (path: string, { pass }: Attacker): string =>
  path.replace(/:(\w+)(\([^)]*\))?\??/g, (_all, name: string) => (name === 'code' ? pass : (things[name] ?? 'x')));

/** Requests that open or change something of one guest: other people get no further than an error page. */
const isPersonal = (method: string, path: string): boolean =>
  path.startsWith('/w/:nas/') && (method === 'POST' || /\/(online|my-data)$/.test(path));

const fieldsOf = (state: string): Record<string, string>[] => [
  { state, lang: 'en', session, skip: '1', provider: randomUUID(), method: 'email', email: 'x@example.com', phone: '' },
  { state, lang: 'en', method: 'username', username: victim.email, password: victim.phone },
  { state, lang: 'en', method: 'sms', code: '123456' },
];

async function expectNothing(it: {
  method: string;
  path: string;
  at: string;
  form: Record<string, string> | undefined;
  state: string;
  cookie: string;
}): Promise<void> {
  const { method, path, at, form, state, cookie } = it;
  const { portal: _, ...visit } = visitOfGuest();
  const query = new URLSearchParams({ ...visit, s: state, g: state, lang: 'en', new: '1', state, code: 'x' });
  const page = form
    ? await venue.captive.form(at, form, { cookie })
    : await venue.captive.get(`${at}?${query}`, { cookie });
  const about = `${method} ${at} → ${page.status} ${page.html.slice(0, 300)}`;
  expect(page.status, about).toBeLessThan(500);
  if (isPersonal(method, path)) expect(page.status, about).toBeGreaterThanOrEqual(400);
  const text = page.html + JSON.stringify([...page.headers]);
  for (const secret of secrets) expect(text, about).not.toContain(secret);
}

describe('the guest portal', () => {
  const names = [
    'a stranger',
    'a guest of another location',
    'a guest of another tenant',
    'somebody with expired states',
  ];
  test.for(names)('reveals and changes nothing of a guest for %s', async name => {
    const attacker = attackers.find(it => it.name === name)!;
    expect(venue.captive.routes.length).toBeGreaterThan(20);
    for (const { method, path } of venue.captive.routes) {
      const at = placeOf(path, attacker);
      for (const state of attacker.states) {
        const cookies = [attacker.cookies, `portico_visit=${state}; portico_pass=${attacker.pass}`];
        await expectUnchanged(ofVictim, async () => {
          for (const cookie of cookies)
            for (const form of method === 'POST' ? fieldsOf(state) : [undefined])
              await expectNothing({ method, path, at, form, state, cookie });
        });
      }
    }
  });

  test('shows a guest its own data', async () => {
    const page = await venue.captive.get(`/w/${venue.nas}/my-data`, { cookie: ownCookie });
    for (const it of [victim.email, victim.phone]) expect(page.html).toContain(it);
  });
});

test('public endpoints of the API refuse names and made-up tokens', async () => {
  const named = [...endpoints(contract)].filter(([, it]) => it.access === 'public' && it.path.includes(':'));
  expect(named.length).toBeGreaterThan(3);
  for (const [name, { method, path }] of named)
    for (const token of [venue.nas, venue.device.id, randomUUID(), 'x'.repeat(64)])
      await expectUnchanged(ofVictim, async () => {
        const asked = await venue.api.ask(method, path.replace(/:\w+/g, token), method === 'POST' ? { body: {} } : {});
        expect([asked.status >= 400, asked.status < 500], `${name} ${asked.text}`).toEqual([true, true]);
        for (const secret of secrets) expect(asked.text, name).not.toContain(secret);
      });
});
