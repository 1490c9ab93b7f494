import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { plainAddress } from '#lib/plain-address.ts';

const bufferBytes = 4 << 20;

/** Opens a UDP port for NetFlow and IPFIX; rejects if it is in use. */
export async function openNetflowListener(options: {
  readonly host: string;
  readonly port: number;
  readonly receive: (packet: Buffer, address: string) => void;
  readonly failed: (where: string, error: unknown) => void;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, receive, failed } = options;
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: bufferBytes });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', error => failed('netflow', error));
  socket.on('message', (packet, from) => {
    // An error thrown here would end the process, and strangers can send packets.
    try {
      receive(packet, plainAddress(from.address));
    } catch (error) {
      failed('netflow', error);
    }
  });
  return { port: socket.address().port, close: () => new Promise(resolve => socket.close(() => resolve())) };
}
