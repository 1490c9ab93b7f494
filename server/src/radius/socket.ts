import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { anyAddress } from '#lib/plain-address.ts';

export interface RemoteAddress {
  readonly address: string;
  readonly port: number;
}

/** One UDP socket of the listener. */
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
  readonly reusePort: boolean | undefined;
  readonly failed: (where: string, error: unknown) => void;
}

const bufferBytes = 4 << 20;

/** Binds a UDP socket; rejects when that fails. */
export const openSocket = async (options: SocketOptions): Promise<RadiusSocket> => {
  const { name, host = anyAddress, failed } = options;
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    reusePort: options.reusePort ?? false,
    recvBufferSize: bufferBytes,
    sendBufferSize: bufferBytes,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', error => failed(`${name} socket`, error));

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
    port: socket.address().port,
    listen: receive => socket.on('message', receive),
    send: (bytes, to) => {
      if (!isOpen) return;
      sending += 1;
      socket.send(bytes, to.port, to.address, onSent);
    },
    close: async () => {
      // Closing would discard datagrams that the socket has not sent yet.
      if (sending > 0)
        await new Promise<void>(resolve => {
          sent = resolve;
        });
      isOpen = false;
      await new Promise<void>(resolve => socket.close(() => resolve()));
    },
  };
};
