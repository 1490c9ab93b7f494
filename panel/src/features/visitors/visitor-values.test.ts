import type { Visitor } from '@portico/contract/visitors.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  bulkInput,
  emptyBulk,
  emptyVisitor,
  generatePassword,
  visitorInput,
  visitorValues,
} from '#features/visitors/visitor-values.ts';

// The browser is elsewhere than the location.
beforeAll(() => void vi.stubEnv('TZ', 'America/New_York'));
afterAll(() => void vi.unstubAllEnvs());

const filled = {
  ...emptyVisitor('location'),
  name: 'Ayşe',
  provider_id: '10000000146',
  room_number: ' 101 ',
  idNumber: 'U123',
  username: 'ayse',
  password: 'parola1',
  birth_day: '1',
  birth_month: '2',
  birth_year: '1990',
};

const methodFields = [
  'provider_id',
  'room_number',
  'idNumber',
  'username',
  'password',
  'birth_day',
  'birth_month',
  'birth_year',
];

const visitor = {
  location: { id: 'location', name: 'Hotel', time_zone: 'Europe/Istanbul' },
  session_start_at: '2026-11-20T22:30:05.000Z',
  session_end_at: null,
  email: null,
  birth_day: 1,
  birth_month: null,
} as Visitor;

describe('the input of the visitor form', () => {
  test.each([
    ['username', ['username', 'password']],
    ['citizen-id', ['provider_id', 'birth_day', 'birth_month', 'birth_year']],
    ['room-number', ['room_number', 'idNumber', 'birth_day', 'birth_month', 'birth_year']],
    ['sms', []],
    ['temp', []],
    ['email', []],
  ] as const)('for %s has only the fields of that method', (provider_type, expected) => {
    const input = visitorInput({ ...filled, provider_type });
    expect(methodFields.filter(field => input[field] !== null)).toEqual(expected);
  });

  test('has null for empty texts and is trimmed', () => {
    expect(visitorInput({ ...filled, provider_type: 'room-number', idNumber: '  ' })).toMatchObject({
      room_number: '101',
      idNumber: null,
    });
  });

  test('has times as typed, for the clocks of the location', () => {
    const typed = { session_start_at: '2026-11-20T14:30', session_end_at: '' };
    const sent = { session_start_at: '2026-11-20T14:30', session_end_at: null };
    expect(visitorInput({ ...filled, ...typed })).toMatchObject(sent);
    expect(bulkInput({ ...emptyBulk(null), ...typed })).toMatchObject({ ...sent, name: '', username: null });
  });

  test('keeps the seconds of a time that did not change', () => {
    const values = { ...visitorValues(visitor), provider_type: 'temp' as const };
    expect(visitorInput(values, visitor).session_start_at).toBe(visitor.session_start_at);
    const session_start_at = '2026-11-21T01:31';
    expect(visitorInput({ ...values, session_start_at }, visitor)).toMatchObject({ session_start_at });
  });
});

const off = <U extends string>(option: U) => ({ is_active: false, option, value: 1 });
const limits = {
  profile_id: null,
  special_profile: false,
  shared_user: 1,
  session_duration: off('day'),
  max_upload: off('mbps'),
  max_download: off('mbps'),
  total_paid_day: 0,
};

test('the form of a new visitor is empty, for a username, with every limit off', () => {
  const { provider_type, location_id, ...rest } = emptyVisitor('location');
  expect([provider_type, location_id]).toEqual(['username', 'location']);
  const none = { birth_day: null, birth_month: null, birth_year: null, ...limits };
  expect(rest).toMatchObject(none);
  const texts = Object.entries(rest).filter(([name]) => !(name in none));
  expect(Object.fromEntries(texts)).toEqual({
    ...{ name: '', provider_id: '', room_number: '', idNumber: '', username: '', password: '', email: '', phone: '' },
    ...{ session_start_at: '', session_end_at: '' },
  });
});

test('the form of several visitors starts with ten, and is sent for usernames', () => {
  const empty = { ...limits, total_user: 10, name: '', username: '', session_start_at: '', session_end_at: '' };
  expect(emptyBulk('location')).toEqual({ ...empty, location_id: 'location' });
  expect(bulkInput({ ...emptyBulk(null), username: ' oda ', session_end_at: '2026-11-20T14:30' })).toEqual({
    ...empty,
    location_id: undefined,
    provider_type: 'username',
    username: 'oda',
    session_start_at: null,
    session_end_at: '2026-11-20T14:30',
  });
  expect(bulkInput(emptyBulk('location'))).toMatchObject({ location_id: 'location' });
});

test('what is sent names the location only if one was chosen', () => {
  expect(visitorInput(emptyVisitor('location')).location_id).toBe('location');
  expect(visitorInput(emptyVisitor(null)).location_id).toBeUndefined();
});

test('the form shows all that is stored', () => {
  const stored = {
    ...limits,
    ...{ location_id: 'location', name: 'Ayşe', provider_type: 'room-number' },
    ...{ provider_id: '1', room_number: '2', idNumber: '3', username: '4', password: '5', email: '6', phone: '7' },
  } as const;
  const dates = { birth_day: 1, birth_month: 2, birth_year: 1990 };
  const times = { session_start_at: '2026-11-20T22:30:05.000Z', session_end_at: '2026-12-01T00:00:00.000Z' };
  expect(visitorValues({ ...visitor, ...stored, ...dates, ...times } as Visitor)).toEqual({
    ...stored,
    ...{ birth_day: '1', birth_month: '2', birth_year: '1990' },
    ...{ session_start_at: '2026-11-21T01:30', session_end_at: '2026-12-01T03:00' },
  });
  const nothing = { provider_id: null, room_number: null, idNumber: null, username: null, phone: null };
  expect(visitorValues({ ...visitor, ...nothing, password: undefined } as Visitor)).toMatchObject({
    ...{ provider_id: '', room_number: '', idNumber: '', username: '', phone: '', password: '' },
  });
});

test('the form shows times of the location, empty texts for null, and birth dates as text', () => {
  expect(visitorValues(visitor)).toMatchObject({
    session_start_at: '2026-11-21T01:30',
    session_end_at: '',
    email: '',
    birth_day: '1',
    birth_month: null,
  });
});

test('a generated password has eight unambiguous characters', () => {
  const passwords = Array.from({ length: 200 }, generatePassword);
  for (const password of passwords) expect(password).toMatch(/^[a-hjkmnp-z2-9]{8}$/);
  expect(new Set(passwords).size).toBe(200);
});

test('a generated password favours no character: bytes beyond the last whole multiple are not used', () => {
  const bytes = [255, 248, 247, 0, 30, 31, 1, 2, 3, 4, 5, 6];
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
    (array as Uint8Array).set([...bytes, ...bytes.slice(0, 4)]);
    return array;
  });
  expect(generatePassword()).toBe('9a9abcde');
  random.mockRestore();
});
