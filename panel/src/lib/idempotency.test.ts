import { expect, test, vi } from 'vitest';
import { answered, keyFor } from './idempotency.ts';

test('a request keeps its key until it is answered, for ten minutes', () => {
  vi.useFakeTimers();
  const first = keyFor('/v1/a {}');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keyFor('/v1/a {}')).toBe(first);
  expect(keyFor('/v1/a {"b":1}')).not.toBe(first);
  answered('/v1/a {}', new Response(null, { status: 500 }));
  answered('/v1/a {}', new Response(null, { status: 409, headers: { 'retry-after': '5' } }));
  expect(keyFor('/v1/a {}')).toBe(first);
  answered('/v1/a {}', new Response());
  const second = keyFor('/v1/a {}');
  expect(second).not.toBe(first);
  vi.advanceTimersByTime(599_999);
  expect(keyFor('/v1/a {}')).toBe(second);
  vi.advanceTimersByTime(1);
  expect(keyFor('/v1/a {}')).not.toBe(second);
  vi.useRealTimers();
});
