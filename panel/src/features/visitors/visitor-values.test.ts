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
