import { expect, test, vi } from 'vitest';
import { changedSince, processState, restore } from './process-state.ts';

const changes = [
  ['process.env.PATH', () => delete process.env['PATH']],
  ['process.exitCode', () => (process.exitCode = 3)],
  ['process.cwd()', () => process.chdir('/')],
  ['vi.useFakeTimers()', () => vi.useFakeTimers({ toFake: ['setTimeout'] })],
  ['Date.now', () => vi.spyOn(Date, 'now')],
  ['performance.now', () => vi.spyOn(performance, 'now')],
  ['globalThis.fetch', () => (globalThis.fetch = async () => new Response())],
] as const;

test.each(changes)('a file that leaves %s changed is told so, and the next file finds it as it was', (name, change) => {
  const before = processState();
  change();
  const changed = changedSince(before);
  restore(before);
  expect(changed).toEqual([name]);
  expect(changedSince(before)).toEqual([]);
});

test('a variable that is new is gone for the next file', () => {
  const before = processState();
  process.env['PORTICO_LEFT'] = '1';
  expect(changedSince(before)).toEqual([]);
  restore(before);
  expect(process.env['PORTICO_LEFT']).toBeUndefined();
});
