import { expect, test } from 'vitest';
import { keepTyped } from '#ui/keep-typed.ts';

const start = { name: 'Sahil', city: 'Antalya', limits: { upload: '1', download: '2' }, tags: ['a'] };

test('an untouched form takes the new values', () => {
  const stored = { ...start, name: 'Sahil Otel', tags: ['a', 'b'] };
  expect(keepTyped(structuredClone(start), [start], stored)).toBe(stored);
});

test('a touched field keeps what was typed, and the others take the new values', () => {
  const typed = { ...start, city: 'Kemer', limits: { upload: '1', download: '9' } };
  const stored = { name: 'Sahil Otel', city: 'Belek', limits: { upload: '5', download: '2' }, tags: ['b'] };
  expect(keepTyped(typed, [start], stored)).toEqual({
    name: 'Sahil Otel',
    city: 'Kemer',
    limits: { upload: '5', download: '9' },
    tags: ['b'],
  });
});

test('a list is one field', () => {
  const typed = { ...start, tags: ['a', 'mine'] };
  expect(keepTyped(typed, [start], { ...start, tags: ['a', 'theirs'] }).tags).toEqual(['a', 'mine']);
});

test('what was saved is not typed: the server may have trimmed it, and a secret is not given back', () => {
  const before = { name: 'Sahil', password: '', city: '' };
  const sent = { name: ' Sahil Otel ', password: 'secret', city: '' };
  const typed = { ...sent, city: 'Kemer' };
  const stored = { name: 'Sahil Otel', password: '', city: '' };
  expect(keepTyped(typed, [before, sent], stored)).toEqual({ ...stored, city: 'Kemer' });
});

test('a removed entry stays removed, and a new one appears', () => {
  const before = { ways: { offline: 'mail', online: 'bell' } };
  const typed: { ways: Record<string, string> } = { ways: { online: 'off' } };
  const stored = { ways: { offline: 'mail', online: 'bell', ended: 'bell' } };
  expect(keepTyped(typed, [before], stored)).toEqual({ ways: { online: 'off', ended: 'bell' } });
});
