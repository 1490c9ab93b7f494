import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly receive: (message: Buffer, from: RemoteInfo) => void;
  readonly failed: (error: unknown) => void;
}

export interface UdpListener {
  readonly port: number;
  /** Senders that have a socket of their own at the moment. */
  readonly loud: () => number;
  readonly close: () => Promise<void>;
}

// Linux gives what net.core.rmem_max allows.
const bufferBytes = 16 << 20;
const sharedSockets = 8;
const maxOwn = 16;
/** One of so many messages of a socket is examined, which is enough to find busy senders. */
const sampleEvery = 16;
const loudPerSecond = 2000;
const idleMs = 60_000;

interface Own {
  readonly socket: Socket;
  sender: string;
  heardAt: number;
}

/**
 * Listens on a UDP port. On Linux on several sockets at once: the kernel spreads the senders over them, each has a buffer of its
 * own for the moments when this thread is busy, and each is read in every turn of the event loop. A sender that sends so much that
 * it would fill a buffer which others share gets one to itself: to a socket that is connected to it the kernel gives its
 * messages, and no other's.
 */
export async function openUdpListener(options: UdpOptions): Promise<UdpListener> {
  const { receive, failed } = options;
  const isLinux = process.platform === 'linux';
  const own: Own[] = [];
  let samples = new Map<string, number>();
  let opening = false;
  let closed = false;

  const bind = async (port: number): Promise<Socket> => {
    const socket = await bindUdp(options, port, isLinux);
    socket.on('error', failed);
    return socket;
  };

  async function give(from: RemoteInfo, sender: string): Promise<void> {
    const now = Date.now();
    let one: Own | undefined;
    if (own.length < maxOwn) {
      one = { socket: await bind(port), sender, heardAt: now };
      if (closed) return void one.socket.close();
      own.push(one);
      listen(one.socket, one);
    } else {
      // Never closed while the listener is open: the kernel counts drops per open socket.
      one = own.find(it => now - it.heardAt > idleMs);
      if (!one) return;
      try {
        one.socket.disconnect();
      } catch {
        // It never came to be connected.
      }
      Object.assign(one, { sender, heardAt: now });
    }
    const { socket } = one;
    await new Promise<void>((resolve, reject) => {
      socket.connect(from.port, from.address, (error?: Error) => (error ? reject(error) : resolve()));
    });
  }

  function look(from: RemoteInfo): void {
    const sender = `${from.address} ${from.port}`;
    const seen = (samples.get(sender) ?? 0) + 1;
    samples.set(sender, seen);
    if (seen * sampleEvery < loudPerSecond || opening || closed || own.some(it => it.sender === sender)) return;
    opening = true;
    give(from, sender)
      .catch(failed)
      .finally(() => {
        opening = false;
      });
  }

  function listen(socket: Socket, one?: Own): void {
    let count = 0;
    socket.on('message', (message, from) => {
      if (isLinux && ++count % sampleEvery === 0) {
        if (one) one.heardAt = Date.now();
        else look(from);
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
  const forget = setInterval(() => {
    samples = new Map();
  }, 1000);
  return {
    port,
    loud: () => own.filter(it => Date.now() - it.heardAt <= idleMs).length,
    close: async () => {
      closed = true;
      clearInterval(forget);
      const all = [...shared, ...own.map(it => it.socket)];
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
