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

/** Sends numbered lines until `bytes` more of them are written, then kills the listener. Answers how far it had written by its own word. */
async function floodAndKill(bytes: number, next: () => number): Promise<number> {
  const child = fork(script, [folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let written = 0;
  let began: number | undefined;
  let port = 0;
  const enough = new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The listener ended by itself: ${code}`)));
    child.on('message', (said: { port?: number; written?: number }) => {
      if (said.port) port = said.port;
      if (said.written === undefined) return;
      written = said.written;
      began ??= written;
      if (written >= began + bytes) resolve();
    });
  });
  while (!port) await new Promise(resolve => setTimeout(resolve, 10));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let stopped = false;
  const pour = (async () => {
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
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  stopped = true;
  socket.destroy();
  await pour;
  return written;
}

test('kill -9 of the log listener under load loses no line that was written, and the next start goes on behind it', async () => {
  let number = 0;
  let promised = 0;
  for (const bytes of [300_000, 1_000_000, 2_000_000]) {
    const before = number;
    promised = await floodAndKill(bytes, () => number++);
    const segments = await listSegments(raw);
    expect(segments.at(-1)?.end).toBeGreaterThanOrEqual(promised);
    for (const [i, segment] of segments.entries())
      expect(segment.start, 'positions go on without a gap').toBe(segments[i - 1]?.end ?? 0);
    const text = segments.map(segment => readFileSync(segment.file, 'latin1')).join('');
    const numbers = [...text.matchAll(/ line (\d+) x{60}\n/g)].map(match => Number(match[1]));
    const ofRound = numbers.filter(each => each >= before);
    // TCP keeps the order: what is there is a beginning of what was sent, whole and once.
    expect(ofRound).toEqual(Array.from({ length: ofRound.length }, (_, i) => before + i));
    expect(ofRound.length).toBeGreaterThan(1000);
  }
}, 60_000);
