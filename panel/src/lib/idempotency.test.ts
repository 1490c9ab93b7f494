import { expect, test, vi } from 'vitest';
import { answered, keyFor } from './idempotency.ts';

test('a request keeps its key until it is answered, for ten minutes', () => {
  vi.useFakeTimers();
  const first = keyFor('/v1/a', '{}');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keyFor('/v1/a', '{}')).toBe(first);
  expect(keyFor('/v1/a', '{"b":1}')).not.toBe(first);
  answered('/v1/a', '{}', new Response(null, { status: 500 }));
  answered('/v1/a', '{}', new Response(null, { status: 409, headers: { 'retry-after': '5' } }));
  expect(keyFor('/v1/a', '{}')).toBe(first);
  answered('/v1/a', '{}', new Response());
  const second = keyFor('/v1/a', '{}');
  expect(second).not.toBe(first);
  vi.advanceTimersByTime(599_999);
  expect(keyFor('/v1/a', '{}')).toBe(second);
  vi.advanceTimersByTime(1);
  expect(keyFor('/v1/a', '{}')).not.toBe(second);
  vi.useRealTimers();
});

test('a request without a body keeps its key until it is answered', () => {
  const first = keyFor('/v1/a', null);
  expect(keyFor('/v1/a', null)).toBe(first);
  expect(keyFor('/v1/b', null)).not.toBe(first);
  answered('/v1/a', null, new Response());
  expect(keyFor('/v1/a', null)).not.toBe(first);
});

test('an upload keeps its key for the same file, until it is answered', () => {
  const upload = (name: string, lastModified: number, location = 'a') => {
    const body = new FormData();
    body.append('file', new File(['Name'], name, { lastModified }));
    body.append('location_id', location);
    return body;
  };
  const key = (body: FormData) => keyFor('/v1/import', body);
  const first = key(upload('guests.csv', 1));
  expect(key(upload('guests.csv', 1))).toBe(first);
  for (const other of [upload('guests.csv', 2), upload('others.csv', 1), upload('guests.csv', 1, 'b')])
    expect(key(other)).not.toBe(first);
  answered('/v1/import', upload('guests.csv', 1), new Response(null, { status: 503 }));
  expect(key(upload('guests.csv', 1))).toBe(first);
  answered('/v1/import', upload('guests.csv', 1), new Response(null, { status: 201 }));
  expect(key(upload('guests.csv', 1))).not.toBe(first);
});
