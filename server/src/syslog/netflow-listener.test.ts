import { createSocket } from 'node:dgram';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openNetflowListener } from './netflow-listener.ts';

async function open(host: string, receive: (packet: string, address: string) => void = () => undefined, port = 0) {
  const received: string[] = [];
  const failures: unknown[] = [];
  const listener = await openNetflowListener({
    ...{ host, port },
    receive(packet, address) {
      received.push(`${address} ${packet.toString()}`);
      receive(packet.toString(), address);
    },
    failed: (where, error) => failures.push([where, error]),
  });
  onTestFinished(listener.close);
  return { received, failures, port: listener.port };
}

function sender(family: 'udp4' | 'udp6') {
  const socket = createSocket(family);
  onTestFinished(() => void socket.close());
  return (to: number, text: string) => socket.send(text, to, family === 'udp4' ? '127.0.0.1' : '::1');
}

test('a packet that cannot be read is told, and does not stop the next one', async () => {
  const error = new Error('forged');
  const { received, failures, port } = await open('localhost', packet => {
    if (packet === 'bad') throw error;
  });
  const send = sender('udp4');
  for (const packet of ['bad', 'good']) send(port, packet);
  await vi.waitFor(() => expect(received).toEqual(['127.0.0.1 bad', '127.0.0.1 good']), 30_000);
  expect(failures).toEqual([['netflow', error]]);
});

test('IPv4 senders of an IPv6 port have their IPv4 address', async () => {
  const { received, port } = await open('::');
  sender('udp4')(port, 'four');
  await vi.waitFor(() => expect(received).toEqual(['127.0.0.1 four']), 30_000);
  sender('udp6')(port, 'six');
  await vi.waitFor(() => expect(received).toContain('::1 six'), 30_000);
});

test('a port in use is told to the caller', async () => {
  const { port } = await open('127.0.0.1');
  await expect(open('127.0.0.1', undefined, port)).rejects.toThrow('EADDRINUSE');
});
