import { randomBytes, randomInt } from 'node:crypto';
import { type Gate, gates } from './gates.ts';
import type { Operator } from './operator.ts';
import { type PhoneName, phones } from './phones.ts';
import type { Venue } from './venue.ts';

/** Visits of guests that together cover each pair of what differs between guests and portals. */

type Fields = Readonly<Record<string, string>>;

export interface Visit {
  readonly method: 'citizen-id' | 'room-number' | 'sms' | 'username' | 'temp' | 'email' | 'voucher';
  /** The options of the method; each visit has others. */
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly phone: PhoneName;
  readonly script: boolean;
  readonly text: 100 | 200;
  readonly language: string;
  readonly gates: readonly Gate[];
  /** Makes what the guest needs, and answers what it types: first wrong, then right. */
  readonly guest: (operator: Operator, venue: Venue) => Promise<{ wrong: Fields; right: Fields }>;
}

const [asked, offered] = [
  ['terms', 'news', 'survey'],
  ['film', 'period', 'remember'],
] as const satisfies readonly (readonly Gate[])[];

const code = { require_security_code: true, security_code: 'Mavi-7' };
const address = () => `ada.${randomBytes(4).toString('hex')}@example.com`;
const mobile = (prefix: string) => `${prefix}${String(randomInt(1e7)).padStart(7, '0')}`;

/** Adds a visitor of a kind, such as a guest of the hotel. */
const add = (operator: Operator, { locationId }: Venue, more: object) =>
  operator.call('POST', 'panel/client', { location_id: locationId, name: 'Ada Deniz Çınar', ...more });
const born = { birth_day: 1, birth_month: 2, birth_year: 1980 };
const leaves = { session_end_at: '2099-08-15T09:00:00Z' };
const inRoom = (operator: Operator, venue: Venue, more: object = {}) =>
  add(operator, venue, {
    provider_type: 'room-number',
    room_number: '207',
    idNumber: 'U-123',
    ...leaves,
    ...born,
    ...more,
  });
/** Gives the location a country, to which phone numbers without a country code belong. */
const inCountry = (operator: Operator, { locationId, name }: Venue, country: string) =>
  operator.call('PUT', `panel/location/${locationId}`, { name, country });

export const visits: readonly Visit[] = [
  {
    method: 'citizen-id',
    options: { method: 'only_citizen_id', provider_type: 'local', collect_email: true, email_required: true, ...code },
    phone: 'iphone',
    script: true,
    text: 100,
    language: 'tr',
    gates: asked,
    guest: async (operator, venue) => {
      await add(operator, venue, { provider_type: 'citizen-id', provider_id: '10000000146', ...born });
      const right = { citizen_id: '10000000146', email: address(), security_code: 'mavi-7' };
      return { right, wrong: { ...right, citizen_id: '10000000147' } };
    },
  },
  {
    method: 'citizen-id',
    options: { method: 'both', provider_type: 'local', collect_phone: true, remember: 'cookie' },
    phone: 'android',
    script: false,
    text: 200,
    language: 'de',
    gates: offered,
    guest: async (operator, venue) => {
      await add(operator, venue, { provider_type: 'citizen-id', provider_id: '20000000114', ...born });
      const name = { first_name: 'ada deniz', last_name: 'ÇINAR', birth_date: '1980-02-01' };
      const right = { citizen_id: '20000000114', ...name };
      return { right, wrong: { ...right, last_name: 'Ak' } };
    },
  },
  {
    method: 'room-number',
    options: { method: 'surname', collect_email: true },
    phone: 'iphone',
    script: false,
    text: 200,
    language: 'ar',
    gates: asked,
    guest: async (operator, venue) => {
      await inRoom(operator, venue);
      const right = { room_number: '207', last_name: 'cinar', email: address() };
      return { right, wrong: { ...right, room_number: '208' } };
    },
  },
  {
    method: 'room-number',
    options: { method: 'departureDate', remember: 'cookie' },
    phone: 'android',
    script: true,
    text: 100,
    language: 'fa',
    gates: offered,
    guest: async (operator, venue) => {
      await inRoom(operator, venue);
      const right = { room_number: '207', departure_date: '2099-08-15' };
      return { right, wrong: { ...right, departure_date: '2099-08-16' } };
    },
  },
  {
    method: 'room-number',
    options: { method: 'both', collect_phone: true, phone_required: true, remember: 'cookie' },
    phone: 'iphone',
    script: true,
    text: 200,
    language: 'zh',
    gates: offered,
    guest: async (operator, venue) => {
      await inCountry(operator, venue, 'Deutschland');
      await inRoom(operator, venue);
      const right = { room_number: '207', id_number: 'u 123', birth_date: '1980-02-01', phone: '0151 23456789' };
      return { right, wrong: { ...right, birth_date: '1980-01-02' } };
    },
  },
  {
    method: 'sms',
    options: { collect_email: true, email_required: true },
    phone: 'android',
    script: true,
    text: 200,
    language: 'ru',
    gates: asked,
    guest: async () => {
      const right = { phone: mobile('0533 '), email: address() };
      return { right, wrong: { ...right, phone: '0533' } };
    },
  },
  {
    method: 'sms',
    options: { ...code, remember: 'cookie' },
    phone: 'iphone',
    script: false,
    text: 100,
    language: 'ja',
    gates: offered,
    guest: async () => {
      const right = { phone: mobile('+90534'), security_code: 'MAVI-7' };
      return { right, wrong: { ...right, security_code: 'kırmızı' } };
    },
  },
  {
    method: 'username',
    options: { collect_phone: true, phone_required: true },
    phone: 'iphone',
    script: true,
    text: 200,
    language: 'en',
    gates: asked,
    guest: async (operator, venue) => {
      await inCountry(operator, venue, 'United Kingdom');
      const { username, password } = venue.visitor;
      const right = { username, password, phone: '07400 123456' };
      return { right, wrong: { ...right, password: 'yanlış' } };
    },
  },
  {
    method: 'username',
    options: { remember: 'cookie' },
    phone: 'android',
    script: false,
    text: 100,
    language: 'fr',
    gates: offered,
    guest: async (_operator, { visitor: { username, password } }) => {
      const right = { username, password };
      return { right, wrong: { ...right, password: 'faux' } };
    },
  },
  {
    method: 'temp',
    options: { confirm_email: true },
    phone: 'android',
    script: true,
    text: 100,
    language: 'es',
    gates: asked,
    guest: async () => {
      const right = { email: address() };
      return { right, wrong: { email: 'ada@example' } };
    },
  },
  {
    method: 'temp',
    options: { collect_phone: true, phone_required: true, remember: 'cookie' },
    phone: 'iphone',
    script: false,
    text: 200,
    language: 'it',
    gates: offered,
    guest: async (operator, venue) => {
      await inCountry(operator, venue, 'Italia');
      return { right: { phone: '312 345 6789' }, wrong: { phone: '12' } };
    },
  },
  {
    method: 'email',
    options: { confirm_email: true },
    phone: 'iphone',
    script: false,
    text: 100,
    language: 'uk',
    gates: asked,
    guest: async () => ({ right: { email: address() }, wrong: { email: 'ada@example' } }),
  },
  {
    method: 'email',
    options: { ...code, remember: 'cookie' },
    phone: 'android',
    script: true,
    text: 200,
    language: 'ar',
    gates: offered,
    guest: async () => {
      const right = { email: address(), security_code: 'mavi-7' };
      return { right, wrong: { ...right, security_code: 'أزرق' } };
    },
  },
  {
    method: 'voucher',
    options: { collect_email: true },
    phone: 'android',
    script: false,
    text: 200,
    language: 'ja',
    gates: asked,
    guest: async (operator, venue) => {
      const right = { voucher: (await card(operator, venue)).code.toLowerCase(), email: address() };
      return { right, wrong: { ...right, voucher: 'QQQQQ-QQQQQ' } };
    },
  },
  {
    method: 'voucher',
    options: { ...code, remember: 'cookie' },
    phone: 'iphone',
    script: true,
    text: 100,
    language: 'tr',
    gates: offered,
    guest: async (operator, venue) => {
      const right = { voucher: (await card(operator, venue)).code, security_code: 'mavi-7' };
      return { right, wrong: { ...right, security_code: 'x' } };
    },
  },
];

/** A printed voucher of two hours. */
export async function card(operator: Operator, { locationId }: Venue): Promise<{ code: string; sign_in_url: string }> {
  const { data: batch } = await operator.call<{ data: { id: string } }>('POST', 'panel/voucher-batch', {
    name: 'Two hours',
    location_id: locationId,
    count: 1,
    valid_for: { is_active: true, option: 'hour', value: 2 },
  });
  const path = `panel/voucher-batch/${batch.id}/cards`;
  const { data } = await operator.call<{ data: { code: string; sign_in_url: string }[] }>('POST', path, {});
  return data[0]!;
}

const languages = ['tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'];

/** The language that the guest chooses before another sign-in. */
export const nextLanguage = (visit: Visit): string => languages[(visits.indexOf(visit) + 7) % languages.length]!;

type Factor = 'method' | 'phone' | 'script' | 'text' | 'gates' | 'language';

const values: Readonly<Record<Factor, readonly unknown[]>> = {
  method: [...new Set(visits.map(it => it.method))],
  phone: Object.keys(phones),
  script: [true, false],
  text: [100, 200],
  gates,
  language: languages,
};

/** Each language is in two visits at least. How every page looks in every language is in `guest-themes.spec.ts`. */
const pairs: readonly (readonly [Factor, Factor])[] = [
  ['method', 'phone'],
  ['method', 'script'],
  ['method', 'text'],
  ['method', 'gates'],
  ['phone', 'script'],
  ['phone', 'text'],
  ['script', 'text'],
  ['gates', 'phone'],
  ['gates', 'script'],
  ['gates', 'text'],
  ['language', 'language'],
];

/** The pairs of values that no visit has. */
export function missingPairs(): string[] {
  const has = (visit: Visit, factor: Factor, value: unknown) =>
    factor === 'gates' ? (visit.gates as readonly unknown[]).includes(value) : visit[factor] === value;
  const rare = languages.filter(
    it => visits.filter(visit => [visit.language, nextLanguage(visit)].includes(it)).length < 2,
  );
  const same = visits.filter(it => nextLanguage(it) === it.language);
  const missing = pairs.flatMap(([a, b]) =>
    values[a].flatMap(one =>
      values[b]
        .filter(other => a !== b || one === other)
        .filter(other => !visits.some(it => has(it, a, one) && has(it, b, other)))
        .map(other => `${a} ${one} with ${b} ${other}`),
    ),
  );
  return [...missing, ...rare.map(it => `${it} twice`), ...same.map(it => `another language than ${it.language}`)];
}
