import { createSocket, type Socket } from 'node:dgram';
import { createServer, isIPv6 } from 'node:net';
import { anyAddress } from '#lib/plain-address.ts';

export interface RemoteAddress {
  readonly address: string;
  readonly port: number;
}

/** One UDP port of the listener. */
export interface RadiusSocket {
  readonly name: 'auth' | 'acct';
  readonly port: number;
  /** Delivers datagrams from now on. Earlier ones are lost, and their senders retry. */
  readonly listen: (receive: (datagram: Buffer, from: RemoteAddress) => void) => void;
  readonly send: (bytes: Buffer, to: RemoteAddress) => void;
  readonly close: () => Promise<void>;
}

export interface SocketOptions {
  readonly name: RadiusSocket['name'];
  readonly port: number;
  readonly host: string | undefined;
  readonly failed: (where: string, error: unknown) => void;
}

// Linux limits it to net.core.rmem_max, which is 208 KB by default: about 500 requests.
const bufferBytes = 4 << 20;

/**
 * The kernel spreads senders over the sockets of a port. Each has a buffer of its own for a rush, as after an outage, when many
 * routers send at once. It is read in turns of 32 datagrams, so more sockets are also read sooner.
 */
const socketsPerPort = process.platform === 'linux' ? 8 : 1;

async function bind(port: number, host: string, reusePort: boolean): Promise<Socket> {
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    reusePort,
    recvBufferSize: bufferBytes,
    sendBufferSize: bufferBytes,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  return socket;
}

const closed = (socket: Socket): Promise<void> => new Promise(resolve => socket.close(() => resolve()));

/** A name of the kernel. Like the ports, it belongs to a network namespace, and a killed process releases it. */
export const reservation = (port: number, host: string): string => `\0portico-radius ${host} ${port}`;

async function reserve(port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(Object.assign(error, { port })));
    server.listen(reservation(port, host), resolve);
  });
  return () => new Promise(resolve => server.close(() => resolve()));
}

/**
 * Sockets that share a port. Another process with the same option could join unnoticed, so a port in use is found by one that
 * shares with none. Of two processes that start at the same moment, the first one reserves the port.
 */
async function bindAll(wanted: number, host: string): Promise<Socket[]> {
  if (socketsPerPort === 1) return [await bind(wanted, host, false)];
  const release = wanted === 0 ? undefined : await reserve(wanted, host);
  try {
    const first = await bind(wanted, host, false);
    const { port } = first.address();
    await closed(first);
    const all = await Promise.allSettled(Array.from({ length: socketsPerPort }, () => bind(port, host, true)));
    const open = all.flatMap(it => (it.status === 'fulfilled' ? [it.value] : []));
    const refused = all.find(it => it.status === 'rejected');
    if (!refused) return open;
    await Promise.all(open.map(closed));
    throw refused.reason;
  } finally {
    await release?.();
  }
}

/** Binds a UDP port; rejects when that fails. */
export const openSocket = async (options: SocketOptions): Promise<RadiusSocket> => {
  const { name, host = anyAddress, failed } = options;
  const sockets = await bindAll(options.port, host);
  for (const socket of sockets) socket.on('error', error => failed(`${name} socket`, error));

  let sending = 0;
  let isOpen = true;
  let sent = (): void => undefined;
  // The router cannot be reached. It retries if it still needs the reply.
  const onSent = (): void => {
    sending -= 1;
    if (sending === 0) sent();
  };

  return {
    name,
    port: sockets[0]!.address().port,
    listen: receive => {
      for (const socket of sockets) socket.on('message', receive);
    },
    send: (bytes, to) => {
      if (!isOpen) return;
      sending += 1;
      sockets[0]!.send(bytes, to.port, to.address, onSent);
    },
    close: async () => {
      // Closing would discard datagrams that the socket has not sent yet.
      if (sending > 0)
        await new Promise<void>(resolve => {
          sent = resolve;
        });
      isOpen = false;
      await Promise.all(sockets.map(closed));
    },
  };
};
