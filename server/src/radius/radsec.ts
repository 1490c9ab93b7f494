import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { attribute, code } from '@portico/radius/attributes.ts';
import { decode, readText } from '@portico/radius/packet.ts';
import { plainAddress } from '#lib/plain-address.ts';
import type { Arrival } from './arrival.ts';
import { createPacketStream } from './packet-stream.ts';
import type { CertifiedDevice, RadiusDevice, RadiusHandlers } from './types.ts';

/** RADIUS over TLS (RFC 6614). */
export interface RadsecOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** What the server shows; PEM. */
  readonly cert: string;
  readonly key: string;
  /** The authority of the devices' certificates; PEM. */
  readonly authority: string;
  /** Connections altogether, from one address, of one device. */
  readonly maxConnections?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  readonly maxPerDevice?: number | undefined;
  /** Requests of one connection that wait for an answer; what comes beyond is left in the socket. */
  readonly maxPending?: number | undefined;
  readonly handshakeMs?: number | undefined;
  /** In which a packet that has begun must be whole. */
  readonly packetMs?: number | undefined;
  /** Without any packet; a device that wants to keep its connection sends Status-Server (RFC 3539 section 3.4.1). */
  readonly idleMs?: number | undefined;
  /** How often certificates are looked up again, should a word of their change have been lost. */
  readonly recheckMs?: number | undefined;
}

interface Surroundings {
  readonly host: string | undefined;
  /** Whether one more packet from this address is within the limit. */
  readonly admits: (address: string) => boolean;
}

export interface Radsec {
  readonly port: number;
  readonly connections: () => number;
  readonly recheck: () => void;
  /** Takes nothing new in; what was taken is still answered. */
  readonly deafen: () => void;
  readonly close: () => Promise<void>;
}

interface Connection {
  readonly socket: TLSSocket;
  readonly fingerprint: string;
  /** Unknown until its certificate was looked up. */
  certified: CertifiedDevice | undefined;
}

const seenEveryMs = 60_000;
const farewellMs = 1000;

/** Listens for devices; each proves by its certificate which one it is. Rejects when the port is taken. */
export async function openRadsec(
  options: RadsecOptions & Surroundings,
  handlers: RadiusHandlers,
  take: (arrival: Arrival) => void,
): Promise<Radsec> {
  const { count, failed } = handlers;
  const { host = '0.0.0.0', maxPerAddress = 100, maxPerDevice = 32, idleMs = 600_000 } = options;
  const open = new Set<Connection>();
  const sockets = new Set<Socket>();
  let deaf = false;

  const refuse = (socket: Socket, reason: string): void => {
    count('radsec_refused_total', { reason });
    socket.destroy();
  };

  const server = createServer({
    cert: options.cert,
    key: options.key,
    ca: options.authority,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: options.handshakeMs ?? 10_000,
    noDelay: true,
    keepAlive: true,
  });
  server.maxConnections = options.maxConnections ?? 5000;

  // Before the handshake, which costs more than a connection.
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const address = socket.remoteAddress;
    if ([...sockets].filter(it => it.remoteAddress === address).length >= maxPerAddress)
      return refuse(socket, 'too_many_of_address');
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // A handshake that takes too long is only reported; it does not end by itself.
  server.on('tlsClientError', (_error, socket) => refuse(socket, 'handshake'));
  server.on('secureConnection', socket => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(idleMs, () => socket.destroy());
    const certificate = socket.getPeerX509Certificate();
    if (!certificate || deaf) return refuse(socket, certificate ? 'closing' : 'no_certificate');
    const connection: Connection = { socket, fingerprint: fingerprintOf(certificate.raw), certified: undefined };
    // From now on a certificate that is revoked during its look-up ends this connection too.
    open.add(connection);
    socket.on('close', () => open.delete(connection));
    welcome(connection).catch(error => {
      failed('resolveCertificates', error);
      refuse(socket, 'away');
    });
  });

  async function welcome(connection: Connection): Promise<void> {
    const { socket, fingerprint } = connection;
    const found = (await handlers.resolveCertificates([fingerprint])).get(fingerprint);
    if (socket.destroyed) return;
    if (!found) return refuse(socket, 'unknown_certificate');
    const sameDevice = [...open].filter(it => it.certified?.device.id === found.device.id);
    if (sameDevice.length >= maxPerDevice) return refuse(socket, 'too_many_of_device');
    connection.certified = found;
    count('radsec_connections_total', {});
    serve(connection, { options, handlers, take, isDeaf: () => deaf });
  }

  let checking = false;
  let again = false;
  async function recheck(): Promise<void> {
    if (checking) {
      again = true;
      return;
    }
    checking = true;
    try {
      do {
        again = false;
        const asked = [...open];
        if (asked.length === 0) continue;
        const good = await handlers.resolveCertificates([...new Set(asked.map(it => it.fingerprint))]);
        for (const connection of asked) {
          const certified = good.get(connection.fingerprint);
          if (!certified) refuse(connection.socket, 'revoked');
          else if (connection.certified) connection.certified = certified;
        }
      } while (again);
    } catch (error) {
      // The database is away: what was good stays so until it can be asked.
      failed('resolveCertificates', error);
    } finally {
      checking = false;
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', error => failed('radsec', error));
  const timer = setInterval(() => void recheck(), options.recheckMs ?? 30_000);

  return {
    port: (server.address() as { port: number }).port,
    connections: () => open.size,
    recheck: () => void recheck(),
    deafen: () => {
      deaf = true;
      for (const { socket } of open) socket.pause();
    },
    close: async () => {
      deaf = true;
      clearInterval(timer);
      const ended = new Promise<void>(resolve => server.close(() => resolve()));
      // Written bytes are still sent, but not waited for long.
      for (const { socket } of open) socket.end();
      const farewell = setTimeout(() => sockets.forEach(socket => void socket.destroy()), open.size ? farewellMs : 0);
      await ended;
      clearTimeout(farewell);
    },
  };
}

/** SHA-256 of a certificate's DER, hex: what it is known by. */
const fingerprintOf = (certificate: Buffer): string => createHash('sha256').update(certificate).digest('hex');

interface Service {
  readonly options: RadsecOptions & Surroundings;
  readonly handlers: RadiusHandlers;
  readonly take: (arrival: Arrival) => void;
  readonly isDeaf: () => boolean;
}

let connections = 0;

/** Reads the requests of a connection whose device is known, and writes the answers. */
function serve(connection: Connection, { options, handlers, take, isDeaf }: Service): void {
  const { count, failed } = handlers;
  const { maxPending = 256, packetMs = 10_000 } = options;
  const { socket } = connection;
  const sourceIp = plainAddress(socket.remoteAddress ?? '');
  const name = `radsec ${++connections}`;
  let pending = 0;
  let lastReportAt = 0;
  let incomplete: NodeJS.Timeout | undefined;
  socket.on('close', () => clearTimeout(incomplete));

  const drop = (reason: string): void => count('radius_dropped_total', { listener: 'radsec', reason });
  const close = (reason: string): void => {
    drop(reason);
    socket.destroy();
  };
  // Not while the rest waits in the socket because reading is paused.
  const giveUp = (): void => {
    if (socket.isPaused()) incomplete = setTimeout(giveUp, packetMs);
    else close('incomplete_packet');
  };
  const mustWait = (): boolean => pending >= maxPending || socket.writableNeedDrain;
  const goOn = (): void => {
    if (socket.isPaused() && !mustWait() && !isDeaf()) socket.resume();
  };

  const tellSeen = ({ id, device }: CertifiedDevice): void => {
    const at = Date.now();
    if (at - lastReportAt < seenEveryMs) return;
    lastReportAt = at;
    void Promise.resolve()
      .then(() => handlers.seenCertificate(device, id))
      .catch(error => failed('seenCertificate', error));
  };

  /** As in the directory of UDP: what a device has shown to send, it must send from then on. */
  const learned = (device: RadiusDevice): void => {
    const certified = connection.certified!;
    if (device.requireMessageAuthenticator || certified.device.requireMessageAuthenticator) return;
    connection.certified = { ...certified, device: { ...certified.device, requireMessageAuthenticator: true } };
    void Promise.resolve()
      .then(() => handlers.learnedMessageAuthenticator(device))
      .catch(error => failed('learnedMessageAuthenticator', error));
  };

  const receive = (bytes: Buffer): void => {
    count('radius_packets_total', { listener: 'radsec' });
    const { certified } = connection;
    if (!certified || socket.destroyed) return;
    if (isDeaf()) return drop('closing');
    if (certified.expiresAt.getTime() <= Date.now()) return close('expired_certificate');
    if (!options.admits(sourceIp)) return drop('flood');
    const packet = decode(bytes);
    if (typeof packet === 'string') return close(packet);
    const kind = packet.code === code['Accounting-Request'] ? 'acct' : 'auth';
    const known = kind === 'acct' || packet.code === code['Access-Request'] || packet.code === code['Status-Server'];
    if (!known) return drop('wrong_code');
    // The certificate decides which device this is. A packet that names another device is dropped.
    const claimed = readText(packet, attribute['NAS-Identifier']);
    if (claimed !== undefined && claimed !== certified.nasIdentifier) return drop('foreign_nas_identifier');
    const { device } = certified;
    tellSeen(certified);
    pending += 1;
    take({
      listener: 'radsec',
      kind,
      packet,
      device,
      socket: name,
      sourceIp,
      receivedAt: new Date(),
      learned: () => learned(device),
      answer: (reply, reason) => {
        pending -= 1;
        // RFC 6613 section 2.6.4: a packet whose authenticator is wrong ends its connection.
        if (reason?.startsWith('wrong_')) socket.destroy();
        if (reply && socket.writable) socket.write(reply);
        goOn();
      },
    });
  };

  const stream = createPacketStream(bytes => {
    clearTimeout(incomplete);
    incomplete = undefined;
    receive(bytes);
  });
  socket.on('drain', goOn);
  socket.on('data', chunk => {
    if (!stream.push(chunk as Buffer)) return close('bad_length');
    if (stream.held() > 0) incomplete ??= setTimeout(giveUp, packetMs);
    if (mustWait()) socket.pause();
  });
  socket.on('end', () => socket.end());
  tellSeen(connection.certified!);
}
