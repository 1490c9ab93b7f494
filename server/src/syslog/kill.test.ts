import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { listSegments } from './segments.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = fileURLToPath(new URL('testing/intake-process.ts', import.meta.url));
const raw = path.join(folder, 'tenant/device/raw');

/** Sends numbered lines until `bytes` more of them are written, then kills the listener. Returns the position that it reported. */
async function floodAndKill(bytes: number, next: () => number): Promise<number> {
  const child = fork(script, [folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let written = 0;
  let began: number | undefined;
  let port = 0;
  const enough = new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The listener ended by itself: ${code}`)));
    child.on('message', (report: { port?: number; written?: number }) => {
      if (report.port) port = report.port;
      if (report.written === undefined) return;
      written = report.written;
      began ??= written;
      if (written >= began + bytes) resolve();
    });
  });
  while (!port) await new Promise(resolve => setTimeout(resolve, 10));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let stopped = false;
  const sending = (async () => {
    while (!stopped && socket.writable) {
      const lines = Array.from(
        { length: 200 },
        () => `<134>Oct 21 09:30:00 killme01 line ${next()} ${'x'.repeat(60)}\n`,
      );
      if (!socket.write(lines.join('')))
        await new Promise(resolve => {
          socket.once('drain', resolve);
          socket.once('close', resolve);
        });
    }
  })();
  await enough;
  child.removeAllListeners('exit');
  const exited = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
  stopped = true;
  socket.destroy();
  await sending;
  return written;
}

test('kill -9 of the log listener under load loses no written line, and the next start continues after it', async () => {
  let number = 0;
  let reported = 0;
  for (const bytes of [300_000, 1_000_000, 2_000_000]) {
    const before = number;
    reported = await floodAndKill(bytes, () => number++);
    const segments = await listSegments(raw);
    expect(segments.at(-1)?.end).toBeGreaterThanOrEqual(reported);
    for (const [i, segment] of segments.entries())
      expect(segment.start, 'positions have no gap').toBe(segments[i - 1]?.end ?? 0);
    const text = segments.map(segment => readFileSync(segment.file, 'latin1')).join('');
    const numbers = [...text.matchAll(/ line (\d+) x{60}\n/g)].map(match => Number(match[1]));
    const ofRound = numbers.filter(each => each >= before);
    // TCP keeps the order: the stored lines are the first ones that were sent, each complete and once.
    expect(ofRound).toEqual(Array.from({ length: ofRound.length }, (_, i) => before + i));
    expect(ofRound.length).toBeGreaterThan(1000);
  }
}, 60_000);
