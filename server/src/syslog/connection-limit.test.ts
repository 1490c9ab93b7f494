import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type ListenerOptions, openListener, type SyslogListener } from './listener.ts';

let listener: SyslogListener;
let closed: Promise<void> | undefined;
const closeListener = (): Promise<void> => (closed ??= listener.close());
let sockets: Socket[] = [];
afterEach(async () => {
  for (const one of sockets) one.destroy();
  sockets = [];
  await closeListener();
});

const slow = { timeout: 120_000 };
let received: string[];
let turnedAway: string[];

/** A listener for which a line that begins with "device" comes from a known device. */
async function start(more: Partial<ListenerOptions>) {
  received = [];
  turnedAway = [];
  closed = undefined;
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    maxBytes: 2048,
    receive({ line }) {
      received.push(line);
      return line.startsWith('device') ? () => false : undefined;
    },
    overloaded: () => false,
    failed: () => undefined,
    turnedAway: reason => turnedAway.push(reason),
    ...more,
  });
}

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  const before = listener.connections() + turnedAway.length;
  await once(socket, 'connect');
  await vi.waitFor(() => expect(listener.connections() + turnedAway.length).toBeGreaterThan(before), slow);
  return socket;
}

async function sendLine(socket: Socket, text: string): Promise<void> {
  socket.write(`${text}\n`);
  await vi.waitFor(() => expect(received).toContain(text), slow);
}

const closedByServer = (socket: Socket) => vi.waitFor(() => expect(socket.closed).toBe(true), slow);

test.each([
  ['per address', { maxPerAddress: 3 }, 'address'],
  ['in total', { maxConnections: 3 }, 'all'],
])(
  'at the limit %s, connections without lines are closed for new ones; those of routers stay open',
  async (_, limits, why) => {
    await start(limits);
    const [first, second, third] = [await open(), await open(), await open()];
    first.write('<');
    await sendLine(second, 'device 2');
    await sendLine(third, 'nobody');
    const router = await open();
    await closedByServer(first);
    expect(received, 'the unfinished line is not lost').toContain('<');
    await sendLine(router, 'device 4');
    const another = await open();
    await closedByServer(third);
    await sendLine(another, 'device 5');
    expect(turnedAway).toEqual(['pushed_out', 'pushed_out']);
    await closedByServer(await open());
    expect(turnedAway.at(-1)).toBe(why);
    await sendLine(second, 'device 2 again');
    expect(listener.connections()).toBe(3);
    if (why === 'address') await sendLine(await open('127.0.0.9'), 'device elsewhere');
  },
);

test('an unfinished line is received when the connection breaks, and when the listener closes', async () => {
  await start({});
  const [broken, other] = [await open(), await open()];
  // One write, so that the listener has the second line once it has passed on the first.
  broken.write('device 1\ndevice 1: last words');
  await vi.waitFor(() => expect(received).toEqual(['device 1']), slow);
  broken.resetAndDestroy();
  await vi.waitFor(() => expect(received).toEqual(['device 1', 'device 1: last words']), slow);
  other.write('device 2\ndevice 2: last words');
  await vi.waitFor(() => expect(received.at(-1)).toBe('device 2'), slow);
  await closeListener();
  expect(received.at(-1)).toBe('device 2: last words');
});
