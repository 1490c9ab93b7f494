import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { plainAddress } from '#lib/plain-address.ts';
import { createFramer } from './framing.ts';
import { createPlaces, type Places, type PlacesOptions } from './places.ts';
import { openUdpListener } from './udp-listener.ts';

/** One syslog message of a sender; text is one character per byte. */
export interface Arrival {
  readonly line: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly cut: boolean;
  /** The device that the sender's certificate names, where certificates are required. */
  readonly certified?: string | undefined;
}

export interface ListenerOptions extends PlacesOptions {
  readonly host: string;
  /** UDP and TCP; 0 takes a free one. */
  readonly port: number;
  /** Bytes of a message; the rest of a longer one is cut off (RFC 5424 section 6.1 asks for 2048). */
  readonly longest: number;
  /** Takes a message. May return a function that says whether the sender should wait. */
  readonly receive: (arrival: Arrival) => (() => boolean) | undefined;
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
  /** With it every sender needs a certificate of this authority, and is the device that its common name names. */
  readonly ca?: string | undefined;
  readonly handshakeMs?: number | undefined;
}

export interface SyslogListener {
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly connections: () => number;
  /** Senders over UDP that have a socket of their own because they send so much. */
  readonly loud: () => number;
  readonly close: () => Promise<void>;
}

const pauseMs = 50;

/** Opens the port for UDP and TCP; rejects when it is taken. */
export async function openListener(options: ListenerOptions): Promise<SyslogListener> {
  const { host, tls } = options;
  const places = createPlaces(options);
  /** What takes the unfinished line of a connection. */
  const ends = new Map<Socket, () => void>();
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
          for (const end of ends.values()) end();
          ends.clear();
          for (const one of places.open) one.destroy();
        }),
    );
    return (server.address() as { port: number }).port;
  };
  const read = (socket: Socket, from: From) => readFrom(socket, from, { ...options, places, ends });
  const tcp = createServer({ noDelay: false, keepAlive: true }, socket => {
    const address = places.take(socket);
    if (address !== undefined) read(socket, { address, transport: 'tcp' });
  });
  try {
    const port = await serve(tcp, options.port, 'tcp');
    const tlsPort =
      tls && (await serve(createTlsListener(tls, { places, read, refused: options.refused }), tls.port, 'tls'));
    // TCP came first: it does not share its port, so that a second process stops there.
    const udp = await openUdpListener({
      host,
      port,
      failed: error => options.failed('udp', error),
      receive(message, from) {
        const cut = message.length > options.longest;
        const line = message.toString('latin1', 0, cut ? options.longest : message.length);
        options.receive({ line, address: plainAddress(from.address), transport: 'udp', cut });
      },
    });
    open.push(udp.close);
    return { port, tlsPort, connections: () => places.open.size, loud: udp.loud, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface TlsReading extends Pick<ListenerOptions, 'refused'> {
  readonly places: Places;
  readonly read: (socket: Socket, from: From) => void;
}

function createTlsListener(tls: TlsOptions, { places, read, refused }: TlsReading): Server {
  const { cert, key, ca } = tls;
  const server = createTlsServer({
    cert,
    key,
    ...(ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true }),
    minVersion: 'TLSv1.2',
    handshakeTimeout: tls.handshakeMs ?? 10_000,
    noDelay: false,
    keepAlive: true,
  });
  // Before the handshake, which costs more than a connection.
  server.on('connection', (socket: Socket) => void places.take(socket));
  // A handshake that takes too long is only reported; it does not end by itself.
  server.on('tlsClientError', (_error, socket) => {
    refused?.();
    socket.destroy();
  });
  server.on('secureConnection', socket => {
    socket.on('error', () => socket.destroy());
    const address = plainAddress(socket.remoteAddress ?? '');
    const certified = ca === undefined ? undefined : nameIn(socket);
    read(socket, { address, transport: 'tls', certified });
  });
  return server;
}

/** The common name of a sender's certificate. */
function nameIn(socket: TLSSocket): string {
  const name = socket.getPeerCertificate().subject?.CN;
  return typeof name === 'string' ? name : '';
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

type From = Pick<Arrival, 'address' | 'transport' | 'certified'>;

interface Reading extends ListenerOptions {
  readonly places: Places;
  readonly ends: Map<Socket, () => void>;
}

function readFrom(socket: Socket, from: From, reading: Reading): void {
  const { longest, receive, overloaded, failed, places, ends } = reading;
  let ofSender: (() => boolean) | undefined;
  const framer = createFramer(longest, (message, cut) => {
    if (message.length === 0) return;
    ofSender = receive({ line: message.toString('latin1'), ...from, cut });
    if (ofSender) places.prove(socket);
  });
  const mustWait = (): boolean => overloaded() || ofSender?.() === true;
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
  // Without a proper end, as when a router loses power, the last bytes still count as a line.
  ends.set(socket, () => framer.end());
  socket.on('close', () => {
    ends.get(socket)?.();
    ends.delete(socket);
  });
}
