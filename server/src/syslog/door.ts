import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { createFramer } from './framing.ts';
import { plainAddress } from './senders.ts';

/** One syslog message of a sender; text is one character per byte. */
export interface Arrival {
  readonly line: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
  readonly cut: boolean;
}

export interface DoorOptions {
  readonly host: string;
  /** UDP and TCP; 0 takes a free one. */
  readonly port: number;
  /** Bytes of a message; the rest of a longer one is cut off (RFC 5424 section 6.1 asks for 2048). */
  readonly longest: number;
  /** Takes a message; may answer a question that tells whether its sender should wait. */
  readonly receive: (arrival: Arrival) => (() => boolean) | undefined;
  /** True while all senders should wait. */
  readonly pressed: () => boolean;
  readonly failed: (where: string, error: unknown) => void;
  readonly mostConnections?: number | undefined;
  readonly mostPerAddress?: number | undefined;
  readonly idleMs?: number | undefined;
}

export interface Door {
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

// Linux gives what net.core.rmem_max allows.
const bufferBytes = 16 << 20;
const udpSockets = 8;
const pauseMs = 50;

/** Opens the port for UDP and TCP; rejects when it is taken. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = await listenTcp(options);
  const { port } = server.address() as { port: number };
  try {
    // TCP came first: it does not share its port, so that a second process stops there.
    const udp = await listenUdp(options, port);
    return {
      port,
      connections: () => server.sockets.size,
      async close() {
        await Promise.all([
          ...udp.map(socket => new Promise<void>(resolve => socket.close(() => resolve()))),
          new Promise<void>(resolve => {
            server.close(() => resolve());
            for (const one of server.sockets) one.destroy();
          }),
        ]);
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

async function listenUdp(options: DoorOptions, port: number): Promise<UdpSocket[]> {
  const first = await bindUdp(options, port, process.platform === 'linux');
  if (process.platform !== 'linux') return [first];
  // The kernel spreads the senders over sockets that share a port: each has a buffer of its own for the moments when this
  // thread is busy, and each is read in every turn of the event loop.
  const more = await Promise.all(Array.from({ length: udpSockets - 1 }, () => bindUdp(options, port, true)));
  return [first, ...more];
}

async function bindUdp(
  { host, longest, receive, failed }: DoorOptions,
  port: number,
  reusePort: boolean,
): Promise<UdpSocket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: bufferBytes, reusePort });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', error => failed('udp', error));
  socket.on('message', (message, from) => {
    const cut = message.length > longest;
    const line = message.toString('latin1', 0, cut ? longest : message.length);
    receive({ line, address: plainAddress(from.address), transport: 'udp', cut });
  });
  return socket;
}

async function listenTcp(options: DoorOptions): Promise<Server & { sockets: Set<Socket> }> {
  const { host, port, failed, mostConnections = 5000, mostPerAddress = 100, idleMs = 3_600_000 } = options;
  const sockets = new Set<Socket>();
  const perAddress = new Map<string, number>();
  const server = createServer({ noDelay: false, keepAlive: true }, socket => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const already = perAddress.get(address) ?? 0;
    socket.on('error', () => socket.destroy());
    if (already >= mostPerAddress) {
      socket.destroy();
      return;
    }
    perAddress.set(address, already + 1);
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    socket.setTimeout(idleMs, () => socket.destroy());
    readFrom(socket, address, options);
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', error => failed('tcp', error));
  return Object.assign(server, { sockets });
}

function readFrom(socket: Socket, address: string, { longest, receive, pressed, failed }: DoorOptions): void {
  let ofSender: (() => boolean) | undefined;
  const framer = createFramer(longest, (message, cut) => {
    if (message.length > 0) ofSender = receive({ line: message.toString('latin1'), address, transport: 'tcp', cut });
  });
  const mustWait = (): boolean => pressed() || ofSender?.() === true;
  const goOn = (): void => {
    if (mustWait() && !socket.destroyed) setTimeout(goOn, pauseMs);
    else socket.resume();
  };
  socket.on('data', chunk => {
    try {
      framer.push(chunk as Buffer);
    } catch (error) {
      failed('framing', error);
      socket.destroy();
    }
    if (!mustWait()) return;
    socket.pause();
    setTimeout(goOn, pauseMs);
  });
  socket.on('end', () => framer.end());
}
