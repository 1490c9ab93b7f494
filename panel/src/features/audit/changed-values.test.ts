import { profileForm } from '@portico/contract/profiles.ts';
import { expect, test } from 'vitest';
import en from '#features/audit/audit-fields.en.json' with { type: 'json' };
import tr from '#features/audit/audit-fields.tr.json' with { type: 'json' };
import { flat, isLimit, isTime, labelled, withTimes } from '#features/audit/changed-values.ts';

test('a change is shown by the words of the screens, one value a line', () => {
  const label = (field: string) => (tr as Record<string, string>)[field] ?? field;
  const limit = { is_active: true, option: 'mbps', value: 5 };
  const change = { max_upload: limit, max_download: { value: 8 }, session_end_at: '2026-11-27T21:00:00Z' };
  expect(flat(change).map(([field, value]) => [labelled(field, label), value])).toEqual([
    ['Yükleme', limit],
    ['İndirme · Miktar', 8],
    ['Erişim bitişi', '2026-11-27T21:00:00Z'],
  ]);
  expect([isLimit(limit), isLimit({ value: 8 }), isLimit(null)]).toEqual([true, false, false]);
  expect(['2026-11-27T21:00:00Z', '2026-11-27T21:00:00.5+03:00', '2026-11-27', 'T'].map(isTime)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('fields that have the same words keep their own values', () => {
  const change = { name: 'Ali', first_name: 'Veli' };
  expect(new Map(flat(change)).size).toBe(2);
});

test('every field of a session profile has a word', () => {
  for (const texts of [en, tr]) for (const field of Object.keys(profileForm.shape)) expect(texts).toHaveProperty(field);
});

test('the time of a look-up is that of its location', () => {
  expect(withTimes('10.0.0.7 2026-11-01T05:30:00.000Z', 'Europe/Istanbul')).toMatch(/^10\.0\.0\.7 .*08:30/);
});
