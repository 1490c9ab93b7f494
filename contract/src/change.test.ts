import { expect, test } from 'vitest';
import { z } from 'zod';
import { changeOf, onlySent, withChange } from './change.ts';

const form = z.object({ name: z.string(), devices: z.number().default(1), note: z.string().nullish() });

test('a change has the fields that were sent, without the defaults of the form', () => {
  const change = changeOf(form);
  const sent = { name: 'a', note: null };
  expect(onlySent(change, change.parse(sent), sent)).toEqual(sent);
  expect(onlySent(change, change.parse({}), {})).toEqual({});
});

test('another body keeps its defaults', () => {
  expect(onlySent(form, form.parse({ name: 'a' }), { name: 'a' })).toEqual({ name: 'a', devices: 1 });
});

test('a change is applied field by field; null clears one, and what is left out stays', () => {
  const stored = { name: 'a', devices: 2, note: 'x' as string | null };
  expect(withChange(stored, { name: 'b', devices: undefined, note: null })).toEqual({
    name: 'b',
    devices: 2,
    note: null,
  });
  expect(stored.name).toBe('a');
});
