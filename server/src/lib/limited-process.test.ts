import { expect, onTestFinished, test, vi } from 'vitest';
import { NotStarted, runLimited } from './limited-process.ts';

const limits = { cpuSeconds: 2, kilobytes: 200_000, ms: 10_000 };

test('a program gets its input, and no setting of this process', async () => {
  vi.stubEnv('PORTICO_TEST_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, output, isLate } = await runLimited(['/bin/sh', '-c', 'cat; env'], ['a', Buffer.from('b\n')], limits);
  expect({ code, isLate }).toEqual({ code: 0, isLate: false });
  expect(output.toString()).toMatch(/^ab\n/);
  expect(output.toString()).not.toContain('PORTICO_TEST_KEY');
});

test('a program that takes too long is ended', async () => {
  const { code, isLate } = await runLimited(['/bin/sleep', '60'], [], { ...limits, ms: 100 });
  expect({ code, isLate }).toEqual({ code: null, isLate: true });
});

test('a program that takes too much CPU time is ended, and is not late', async () => {
  const ended = await runLimited(['/bin/sh', '-c', 'while :; do :; done'], [], {
    ...limits,
    cpuSeconds: 1,
    ms: 60_000,
  });
  expect(ended.code).not.toBe(0);
  expect(ended.isLate).toBe(false);
}, 60_000);

test('a process that the system cannot start is told apart', async () => {
  // Too long an argument, as with too few file descriptors: no process begins.
  await expect(runLimited(['/bin/echo', 'x'.repeat(4_000_000)], ['y'], limits)).rejects.toThrow(NotStarted);
});
