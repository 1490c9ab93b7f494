import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countDown, saidBy } from '#features/auth/said.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a refusal counts down only if its words name the seconds', () => {
  const message = 'Too many attempts. Try again in 30 s.';
  expect(saidBy({ message, retryAfter: 30 })).toEqual({ text: message, seconds: 30 });
  expect(saidBy({ message: 'The server is busy.', retryAfter: 30 })).toBe('The server is busy.');
  expect(saidBy({ message, retryAfter: undefined })).toBe(message);
});

test('the seconds count down, and the words are gone after them', () => {
  const shown: string[] = [];
  countDown({ text: 'Try again in 2 s.', seconds: 2 }, text => shown.push(text));
  vi.advanceTimersByTime(1000);
  expect(shown.at(-1)).toBe('Try again in 1 s.');
  vi.advanceTimersByTime(1000);
  expect([shown[0], shown.at(-1)]).toEqual(['Try again in 2 s.', '']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a second refusal with the same seconds counts from the start', () => {
  const said = { text: 'Try again in 2 s.', seconds: 2 };
  const shown: string[] = [];
  const stop = countDown(said, text => shown.push(text));
  vi.advanceTimersByTime(1500);
  stop();
  countDown({ ...said }, text => shown.push(text));
  expect(shown.at(-1)).toBe('Try again in 2 s.');
});
