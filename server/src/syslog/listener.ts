import { createHash } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { plainAddress } from '#lib/plain-address.ts';
import { type ConnectionLimit, type ConnectionLimitOptions, createConnectionLimit } from './connection-limit.ts';
import { createFramer } from './framing.ts';
import { openUdpListener } from './udp-listener.ts';

/** One syslog message as it was received. Text has one character per byte. */
export interface ReceivedMessage {
  readonly line: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly cut: boolean;
  readonly certified?: SenderCertificate | undefined;
}

/** The certificate of a sender: its common name where one authority vouches for all, else its fingerprint (SHA-256, hexadecimal). */
export type SenderCertificate = { readonly name: string } | { readonly fingerprint: string };

export interface ListenerOptions extends ConnectionLimitOptions {
  readonly host: string;
  /** For UDP and TCP; 0 means a free port. */
  readonly port: number;
  /** The maximum length of a message; a longer one is truncated (RFC 5424 section 6.1 asks for 2048). */
  readonly maxBytes: number;
  /** Called for each message. May return a function that tells whether the sender should wait. */
  readonly receive: (message: ReceivedMessage) => (() => boolean) | undefined;
  /** True while all senders should wait. */
  readonly overloaded: () => boolean;
  readonly failed: (where: string, error: unknown) => void;
  /** Called for a failed TLS handshake, for example without an accepted certificate. */
  readonly refused?: (() => void) | undefined;
  readonly tls?: TlsOptions | undefined;
}

/** Syslog over TLS (RFC 5425). */
export interface TlsOptions {
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /**
   * If set, every sender needs a certificate of this authority. Its common name is the NAS identifier of the device.
   * Otherwise a sender may show the certificate that the product issued to its device.
   */
  readonly ca?: string | undefined;
  readonly handshakeMs?: number | undefined;
}

export interface SyslogListener {
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly connections: () => number;
  /** The number of UDP senders that have a dedicated socket because they send so much. */
  readonly busySenders: () => number;
  readonly close: () => Promise<void>;
}

const pauseMs = 50;

/** Opens the port for UDP and TCP; rejects if it is in use. */
export async function openListener(options: ListenerOptions): Promise<SyslogListener> {
  for (let tries = 1; ; tries++) {
    try {
      return await openOnce(options);
    } catch (error) {
      // The port that was free for TCP may be in use for UDP.
      const canChoose = options.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!canChoose || tries === 10) throw error;
    }
  }
}

async function openOnce(options: ListenerOptions): Promise<SyslogListener> {
  const { host, tls } = options;
  const connections = createConnectionLimit(options);
  /** Functions that pass on the unfinished line of a connection. */
  const flushers = new Map<Socket, () => void>();
  const open: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map(end => end()));
  };
  const serve = async (server: Server, port: number, label: string): Promise<number> => {
    await listen(server, port, host);
    server.on('error', error => options.failed(label, error));
    open.push(
      () =>
        new Promise<void>(resolve => {
          server.close(() => resolve());
          for (const flush of flushers.values()) flush();
          flushers.clear();
          for (const socket of connections.open) socket.destroy();
        }),
    );
    return (server.address() as { port: number }).port;
  };
  const read = (socket: Socket, source: Source) => readFrom(socket, source, { ...options, connections, flushers });
  const tcp = createServer({ noDelay: false, keepAlive: true }, socket => {
    const address = connections.take(socket);
    if (address !== undefined) read(socket, { address, transport: 'tcp' });
  });
  try {
    const port = await serve(tcp, options.port, 'tcp');
    const tlsPort =
      tls && (await serve(createTlsListener(tls, { connections, read, refused: options.refused }), tls.port, 'tls'));
    // TCP is opened first. It does not share its port, so a second process fails there.
    const udp = await openUdpListener({
      host,
      port,
      failed: error => options.failed('udp', error),
      receive(message, from) {
        const cut = message.length > options.maxBytes;
        const line = message.toString('latin1', 0, cut ? options.maxBytes : message.length);
        options.receive({ line, address: plainAddress(from.address), transport: 'udp', cut });
      },
    });
    open.push(udp.close);
    return { port, tlsPort, connections: () => connections.open.size, busySenders: udp.busySenders, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface TlsListenerOptions extends Pick<ListenerOptions, 'refused'> {
  readonly connections: ConnectionLimit;
  readonly read: (socket: Socket, source: Source) => void;
}

function createTlsListener(tls: TlsOptions, { connections, read, refused }: TlsListenerOptions): Server {
  const { cert, key, ca } = tls;
  const server = createTlsServer({
    cert,
    key,
    requestCert: true,
    // The handshake proves that the sender has the key. The fingerprint tells the device.
    ...(ca === undefined ? { rejectUnauthorized: false } : { ca, rejectUnauthorized: true }),
    minVersion: 'TLSv1.2',
    handshakeTimeout: tls.handshakeMs ?? 10_000,
    noDelay: false,
    keepAlive: true,
  });
  // Counted before the handshake, which costs more than a connection.
  server.on('connection', (socket: Socket) => void connections.take(socket));
  // Node.js only reports a handshake that takes too long; it does not close the connection.
  server.on('tlsClientError', (_error, socket) => {
    refused?.();
    socket.destroy();
  });
  server.on('secureConnection', socket => {
    socket.on('error', () => socket.destroy());
    const address = plainAddress(socket.remoteAddress ?? '');
    read(socket, { address, transport: 'tls', certified: ca === undefined ? shown(socket) : commonName(socket) });
  });
  return server;
}

function commonName(socket: TLSSocket): SenderCertificate {
  const name = socket.getPeerCertificate().subject?.CN;
  return { name: typeof name === 'string' ? name : '' };
}

function shown(socket: TLSSocket): SenderCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  return certificate && { fingerprint: createHash('sha256').update(certificate.raw).digest('hex') };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

type Source = Pick<ReceivedMessage, 'address' | 'transport' | 'certified'>;

interface ReadOptions extends ListenerOptions {
  readonly connections: ConnectionLimit;
  readonly flushers: Map<Socket, () => void>;
}

function readFrom(socket: Socket, source: Source, options: ReadOptions): void {
  const { maxBytes, receive, overloaded, failed, connections, flushers } = options;
  let senderOverloaded: (() => boolean) | undefined;
  const framer = createFramer(maxBytes, (message, cut) => {
    if (message.length === 0) return;
    senderOverloaded = receive({ line: message.toString('latin1'), ...source, cut });
    if (senderOverloaded) connections.prove(socket);
  });
  const shouldPause = (): boolean => overloaded() || senderOverloaded?.() === true;
  const resumeLater = (): void => {
    if (shouldPause() && !socket.destroyed) setTimeout(resumeLater, pauseMs);
    else socket.resume();
  };
  socket.on('data', chunk => {
    try {
      framer.push(chunk as Buffer);
    } catch (error) {
      failed('framing', error);
      socket.destroy();
    }
    if (!shouldPause()) return;
    socket.pause();
    setTimeout(resumeLater, pauseMs);
  });
  // The last bytes of a connection count as a line, also where it ends without a FIN because the router lost power.
  flushers.set(socket, () => framer.end());
  socket.on('close', () => {
    flushers.get(socket)?.();
    flushers.delete(socket);
  });
}
