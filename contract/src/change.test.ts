import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { changeOf, limitsOf, onlySent, withChange } from './change.ts';
import { speedLimit, unlessNothing } from './fields.ts';

const form = z.object({ name: z.string(), devices: z.number().default(1), note: z.string().nullish() });

test('a change has the fields that were sent, without the defaults of the form', () => {
  const change = changeOf(form);
  const sent = { name: 'a', note: null };
  expect(onlySent(change, change.parse(sent), sent)).toEqual(sent);
  expect(onlySent(change, change.parse({}), {})).toEqual({});
});

test('null or an empty text in a field that a form may hide is no change', () => {
  const change = changeOf(z.object({ devices: unlessNothing(z.number().default(1)), note: z.string().nullish() }));
  const read = (sent: object) => onlySent(change, change.parse(sent), sent);
  expect(read({ devices: null, note: null })).toEqual({ note: null });
  expect(read({ devices: '', note: '' })).toEqual({ note: '' });
  expect(read({ devices: 2 })).toEqual({ devices: 2 });
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

describe('a limit in a change', () => {
  const limited = z.object({ name: z.string(), speed: speedLimit });
  const change = changeOf(limited);
  const stored = { name: 'a', speed: { is_active: true, option: 'kbps', value: 512 } };
  const whole = (sent: object) => {
    const { form: checks, limits } = limitsOf(limited, stored, onlySent(change, change.parse(sent), sent) as object);
    return checks.safeParse(limits);
  };

  test.each([
    [{ value: 640 }, { is_active: true, option: 'kbps', value: 640 }],
    [{ is_active: false }, { is_active: false, option: 'kbps', value: 512 }],
    [
      { option: 'mbps', value: 2 },
      { is_active: true, option: 'mbps', value: 2 },
    ],
    [{ value: null }, stored.speed],
    [{ value: '' }, stored.speed],
    [null, { is_active: false, option: 'mbps', value: 1 }],
  ])('keeps the fields that were not sent: %j', (speed, expected) => {
    expect(whole({ speed }).data).toEqual({ speed: expected });
  });

  test('is checked as a whole', () => {
    const { error } = whole({ speed: { option: 'mbps' } });
    expect(error?.issues.map(it => it.path)).toEqual([['speed', 'value']]);
  });

  test('is not looked at when it was not sent', () => {
    expect(whole({ name: 'b' }).data).toEqual({});
  });
});
