import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { steadyNow } from '#lib/steady-clock.ts';

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly receive: (message: Buffer, from: RemoteInfo) => void;
  readonly failed: (error: unknown) => void;
}

export interface UdpListener {
  readonly port: number;
  /** The number of senders that have a dedicated socket now. */
  readonly busySenders: () => number;
  readonly close: () => Promise<void>;
}

// Linux limits it to net.core.rmem_max.
const bufferBytes = 16 << 20;
const sharedSockets = 8;
const maxDedicated = 16;
/** Every 16th message of a socket is sampled, which is enough to find busy senders. */
const sampleEvery = 16;
const busyPerSecond = 2000;
const idleMs = 60_000;

interface DedicatedSocket {
  readonly socket: Socket;
  sender: string;
  lastMessageAt: number;
}

/**
 * Listens on a UDP port. On Linux it opens several sockets. The kernel distributes the senders over them, and each socket has
 * its own buffer for times when this thread is busy. A busy sender could fill a buffer that others share, so it gets a
 * dedicated socket. A connected socket receives the messages of its peer only.
 */
export async function openUdpListener(options: UdpOptions): Promise<UdpListener> {
  const { receive, failed } = options;
  const isLinux = process.platform === 'linux';
  const dedicated: DedicatedSocket[] = [];
  let samples = new Map<string, number>();
  let opening = false;
  let closed = false;

  const bind = async (port: number): Promise<Socket> => {
    const socket = await bindUdp(options, port, isLinux);
    socket.on('error', failed);
    return socket;
  };

  async function openDedicated(from: RemoteInfo, sender: string): Promise<void> {
    const now = steadyNow();
    let one: DedicatedSocket | undefined;
    if (dedicated.length < maxDedicated) {
      one = { socket: await bind(port), sender, lastMessageAt: now };
      if (closed) return void one.socket.close();
      dedicated.push(one);
      listen(one.socket, one);
    } else {
      // Sockets are reused, not closed: the kernel counts drops per open socket.
      one = dedicated.find(it => now - it.lastMessageAt > idleMs);
      if (!one) return;
      try {
        one.socket.disconnect();
      } catch {
        // It was not connected.
      }
      Object.assign(one, { sender, lastMessageAt: now });
    }
    const { socket } = one;
    await new Promise<void>((resolve, reject) => {
      socket.connect(from.port, from.address, (error?: Error) => (error ? reject(error) : resolve()));
    });
  }

  function sample(from: RemoteInfo): void {
    // Forged: the kernel delivers datagrams from port 0, but connects no socket to it.
    if (from.port === 0) return;
    const sender = `${from.address} ${from.port}`;
    const count = (samples.get(sender) ?? 0) + 1;
    samples.set(sender, count);
    if (count * sampleEvery < busyPerSecond || opening || closed || dedicated.some(it => it.sender === sender)) return;
    opening = true;
    openDedicated(from, sender)
      .catch(failed)
      .finally(() => {
        opening = false;
      });
  }

  function listen(socket: Socket, one?: DedicatedSocket): void {
    let count = 0;
    socket.on('message', (message, from) => {
      if (isLinux && ++count % sampleEvery === 0) {
        if (one) one.lastMessageAt = steadyNow();
        else sample(from);
      }
      receive(message, from);
    });
  }

  const first = await bind(options.port);
  const { port } = first.address();
  const shared = isLinux
    ? [first, ...(await Promise.all(Array.from({ length: sharedSockets - 1 }, () => bind(port))))]
    : [first];
  for (const socket of shared) listen(socket);
  const resetTimer = setInterval(() => {
    samples = new Map();
  }, 1000);
  return {
    port,
    busySenders: () => dedicated.filter(it => steadyNow() - it.lastMessageAt <= idleMs).length,
    close: async () => {
      closed = true;
      clearInterval(resetTimer);
      const all = [...shared, ...dedicated.map(it => it.socket)];
      await Promise.all(all.map(socket => new Promise<void>(resolve => socket.close(() => resolve()))));
    },
  };
}

async function bindUdp({ host }: UdpOptions, port: number, reusePort: boolean): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: bufferBytes, reusePort });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  return socket;
}
