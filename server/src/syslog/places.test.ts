import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type ListenerOptions, openListener, type SyslogListener } from './listener.ts';

let listener: SyslogListener;
let closed: Promise<void> | undefined;
const closeListener = (): Promise<void> => (closed ??= listener.close());
let dialled: Socket[] = [];
afterEach(async () => {
  for (const one of dialled) one.destroy();
  dialled = [];
  await closeListener();
});

const patient = { timeout: 30_000 };
let heard: string[];
let away: string[];

/** A listener that takes what begins with "device" for a line of one. */
async function start(more: Partial<ListenerOptions>) {
  heard = [];
  away = [];
  closed = undefined;
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    longest: 2048,
    receive({ line }) {
      heard.push(line);
      return line.startsWith('device') ? () => false : undefined;
    },
    overloaded: () => false,
    failed: () => undefined,
    turnedAway: why => away.push(why),
    ...more,
  });
}

async function dial(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).resume();
  dialled.push(socket);
  const before = listener.connections() + away.length;
  await once(socket, 'connect');
  await vi.waitFor(() => expect(listener.connections() + away.length).toBeGreaterThan(before), patient);
  return socket;
}

async function say(socket: Socket, text: string): Promise<void> {
  socket.write(`${text}\n`);
  await vi.waitFor(() => expect(heard).toContain(text), patient);
}

const gone = (socket: Socket) => vi.waitFor(() => expect(socket.closed).toBe(true), patient);

test.each([
  ['of its address', { maxPerAddress: 3 }, 'address'],
  ['of all', { maxConnections: 3 }, 'all'],
])('whoever only holds places %s keeps no router out; routers keep theirs', async (_, limits, why) => {
  await start(limits);
  const [first, second, third] = [await dial(), await dial(), await dial()];
  first.write('<');
  await say(second, 'device 2');
  await say(third, 'nobody');
  const router = await dial();
  await gone(first);
  expect(heard, 'what was begun is not lost').toContain('<');
  await say(router, 'device 4');
  const another = await dial();
  await gone(third);
  await say(another, 'device 5');
  expect(away).toEqual(['pushed_out', 'pushed_out']);
  await gone(await dial());
  expect(away.at(-1)).toBe(why);
  await say(second, 'device 2 again');
  expect(listener.connections()).toBe(3);
  if (why === 'address') await say(await dial('127.0.0.9'), 'device elsewhere');
});

test('a line that nothing ended is taken when the connection breaks, and when the listener closes', async () => {
  await start({});
  const [broken, open] = [await dial(), await dial()];
  // Written at once: with the first line the listener has what follows it, too.
  broken.write('device 1\ndevice 1: last words');
  await vi.waitFor(() => expect(heard).toEqual(['device 1']), patient);
  broken.resetAndDestroy();
  await vi.waitFor(() => expect(heard).toEqual(['device 1', 'device 1: last words']), patient);
  open.write('device 2\ndevice 2: last words');
  await vi.waitFor(() => expect(heard.at(-1)).toBe('device 2'), patient);
  await closeListener();
  expect(heard.at(-1)).toBe('device 2: last words');
});
