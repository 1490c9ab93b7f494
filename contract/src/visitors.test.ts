import { expect, onTestFinished, test, vi } from 'vitest';
import { changeProblems, changesProvider, isBirthDate, isCitizenId, visitorForm, visitorUpdate } from './visitors.ts';

test('a citizen id has eleven digits, and both check digits are right', () => {
  for (const right of ['10000000146', '12345678950', '98765432150', '11000000068'])
    expect(isCitizenId(right), right).toBe(true);
  for (const [wrong, why] of [
    ['10000000157', 'tenth digit wrong, though the eleventh fits it'],
    ['10000000145', 'eleventh digit'],
    ['00000000000', 'begins with 0'],
    ['1000000014', 'ten digits'],
    ['100000001460', 'twelve digits'],
    ['123456789500', 'a right one and a digit more'],
    ['1000000014a', 'a letter'],
    [' 10000000146', 'a space'],
    ['', 'nothing'],
  ] as const)
    expect(isCitizenId(wrong), why).toBe(false);
});

test('a date of birth exists, is not before 1930 and not in the future', () => {
  expect(isBirthDate(1930, 1, 1)).toBe(true);
  expect(isBirthDate(1929, 12, 31)).toBe(false);
  expect(isBirthDate(2000, 2, 29)).toBe(true);
  expect(isBirthDate(2001, 2, 29)).toBe(false);
  expect(isBirthDate(1990, 13, 1)).toBe(false);
  expect(isBirthDate(1990, 0, 1)).toBe(false);
  expect(isBirthDate(1990, 1, 0)).toBe(false);
  const today = new Date();
  expect(isBirthDate(today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate())).toBe(true);
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(isBirthDate(tomorrow.getUTCFullYear(), tomorrow.getUTCMonth() + 1, tomorrow.getUTCDate())).toBe(false);
});

test('a guest may be born today, from the first moment of the day in UTC', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  expect(isBirthDate(2026, 11, 20)).toBe(true);
  expect(isBirthDate(2026, 11, 21)).toBe(false);
  for (const form of [byId, byRoom])
    expect(refused({ ...form, birth_day: 19, birth_month: 11, birth_year: 2026 })).toEqual([]);
});

const location_id = 'a0000000-0000-4000-8000-000000000001';
const birth = { birth_day: 1, birth_month: 2, birth_year: 1990 };
const byName = { location_id, name: 'Ada', provider_type: 'username', username: 'ada', password: 'pass' };
const byId = { location_id, name: 'Ada', provider_type: 'citizen-id', provider_id: '10000000146', ...birth };
const byRoom = { location_id, name: 'Ada', provider_type: 'room-number', room_number: '12', ...birth };
/** The fields that are refused, with their messages. */
const refused = (sent: object, form: typeof visitorForm | typeof visitorUpdate = visitorForm) =>
  (form.safeParse(sent).error?.issues ?? []).map(it => [it.path.join('.'), it.message]);

test('the form of each sign-in method has its own fields', () => {
  for (const right of [byName, byId, byRoom]) expect(refused(right)).toEqual([]);
  for (const [form, ...names] of [
    [byName, 'username', 'password'],
    [byId, 'provider_id', 'birth_day', 'birth_month', 'birth_year'],
    [byRoom, 'room_number', 'birth_day', 'birth_month', 'birth_year'],
  ] as const)
    for (const field of names)
      for (const value of [undefined, null, ''])
        expect(refused({ ...form, [field]: value }), `${form.provider_type} ${field}`).toEqual([[field, 'required']]);
});

test('an identity number and a date of birth must exist', () => {
  expect(refused({ ...byId, provider_id: '10000000147' })).toEqual([['provider_id', 'citizen_id_format']]);
  for (const form of [byId, byRoom]) {
    expect(refused({ ...form, birth_day: 30 })).toEqual([['birth_day', 'date']]);
    const next = new Date().getUTCFullYear() + 1;
    expect(refused({ ...form, birth_year: next })).toEqual([['birth_year', 'date']]);
  }
  expect(refused({ ...byName, birth_day: 30, birth_month: 2, birth_year: 1990 })).toEqual([]);
  // A room guest has a passport, for example.
  expect(refused({ ...byRoom, provider_id: 'U123' })).toEqual([]);
});

test('access ends after it begins, if both are moments or both are local times', () => {
  const period = (session_start_at: string, session_end_at: string) =>
    refused({ ...byName, session_start_at, session_end_at });
  expect(period('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z')).toEqual([]);
  expect(period('2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z')).toEqual([['session_end_at', 'after_start']]);
  expect(period('2026-11-20 10:00:00', '2026-11-20 09:00:00')).toEqual([['session_end_at', 'after_start']]);
  expect(period('2026-11-20T10:00:00Z', '2026-11-20T09:00:00')).toEqual([]);
  expect(period('', '2026-11-20T10:00:00Z')).toEqual([]);
  expect(period('2026-11-20T10:00:00Z', '')).toEqual([]);
});

test('an update needs no password, and a visitor from the portal keeps its method', () => {
  const { location_id: _, password: __, ...kept } = byName;
  expect(refused(kept, visitorUpdate)).toEqual([]);
  expect(refused({ name: 'Ada', provider_type: 'sms' }, visitorUpdate)).toEqual([]);
  expect(refused({ ...kept, username: null }, visitorUpdate)).toEqual([['username', 'required']]);
  const period = { session_start_at: '2026-11-20T10:00:00Z', session_end_at: '2026-11-19T10:00:00Z' };
  expect(refused({ ...kept, ...period }, visitorUpdate)).toEqual([['session_end_at', 'after_start']]);
  expect(refused({ ...byId, provider_id: '10000000147' }, visitorUpdate)).toEqual([
    ['provider_id', 'citizen_id_format'],
  ]);
});

test('a change is checked for what it touches', () => {
  const period = { session_start_at: '2026-11-20T10:00:00Z', session_end_at: '2026-11-19T10:00:00Z' };
  const { location_id: _, ...stored } = byName;
  const after = { ...visitorUpdate.parse(stored), ...period, username: null };
  expect(changeProblems(after, { name: 'Eve' })).toEqual([]);
  expect(changeProblems(after, { password: 'pass' })).toEqual([{ field: 'username', message: 'required' }]);
  for (const change of [{ session_start_at: null }, { session_end_at: null }])
    expect(changeProblems(after, change)).toEqual([{ field: 'session_end_at', message: 'after_start' }]);
  const wrongId = { ...visitorUpdate.parse(byId), provider_id: '10000000147' };
  expect(changeProblems(wrongId, { name: 'Eve' })).toEqual([]);
  expect(changeProblems(wrongId, { birth_day: 1 })).toEqual([{ field: 'provider_id', message: 'citizen_id_format' }]);
  expect(changesProvider({ name: 'Eve', email: null, session_end_at: null })).toBe(false);
  for (const change of [
    { provider_type: 'username' as const },
    { provider_id: null },
    { room_number: null },
    { idNumber: null },
    { username: null },
    { password: null },
    { birth_day: null },
    { birth_month: null },
    { birth_year: null },
  ])
    expect(changesProvider(change)).toBe(true);
});
