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

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Istanbul'));
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

  test('has local times converted to UTC', () => {
    const times = { session_start_at: '2026-11-20T14:30', session_end_at: '' };
    const instants = { session_start_at: '2026-11-20T11:30:00.000Z', session_end_at: null };
    expect(visitorInput({ ...filled, ...times })).toMatchObject(instants);
    expect(bulkInput({ ...emptyBulk(null), ...times })).toMatchObject({ ...instants, name: '', username: null });
  });
});

test('the form shows local times, empty texts for null, and birth dates as text', () => {
  const visitor = {
    session_start_at: '2026-11-20T22:30:00.000Z',
    session_end_at: null,
    email: null,
    birth_day: 1,
    birth_month: null,
  } as Visitor;
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
