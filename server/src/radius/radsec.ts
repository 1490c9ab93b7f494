import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { attribute, code } from '@portico/radius/attributes.ts';
import { decode, type Packet, readText } from '@portico/radius/packet.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { anyAddress, plainAddress } from '#lib/plain-address.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { Arrival } from './arrival.ts';
import type { DeviceDirectory } from './device-directory.ts';
import { createPacketStream } from './packet-stream.ts';
import { asSender, forwarded, maySpeakFor } from './proxies.ts';
import type { CertifiedPeer, RadiusDevice, RadiusHandlers } from './types.ts';
import type { UnknownDevices } from './unknown-devices.ts';

/** RADIUS over TLS (RFC 6614). */
export interface RadsecOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The server's certificate; PEM. */
  readonly cert: string;
  readonly key: string;
  /** The certificate authority of the devices; PEM. */
  readonly authority: string;
  /** Limits of connections: in total, per address and per device. */
  readonly maxConnections?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  readonly maxPerDevice?: number | undefined;
  /** Maximum number of unanswered requests per connection; further ones stay in the socket. */
  readonly maxPending?: number | undefined;
  readonly handshakeMs?: number | undefined;
  /** How long an incomplete packet may take to arrive. */
  readonly packetMs?: number | undefined;
  /** Closes a connection without packets. Devices send Status-Server to keep theirs (RFC 3539 section 3.4.1). */
  readonly idleMs?: number | undefined;
  /** How often certificates are looked up again, in case a notification of a change was lost. */
  readonly recheckMs?: number | undefined;
}

interface ListenerContext {
  readonly host: string | undefined;
  /** Whether one more packet from this peer is within the limit. */
  readonly admits: (peer: string) => boolean;
  /** Finds the device that a proxy speaks for. */
  readonly find: DeviceDirectory['find'];
  /** Reports a device that a proxy speaks for but that was not added. */
  readonly unknown: UnknownDevices['heard'];
}

export interface Radsec {
  readonly port: number;
  readonly connections: () => number;
  readonly recheck: () => void;
  /** Accepts no new requests; accepted ones are still answered. */
  readonly pause: () => void;
  readonly close: () => Promise<void>;
}

interface Connection {
  readonly socket: TLSSocket;
  readonly fingerprint: string;
  /** Undefined until the certificate is looked up. */
  certified: CertifiedPeer | undefined;
}

/** A TCP connection; the handshake may not have ended. */
interface Accepted {
  readonly socket: Socket;
  readonly peer: string;
  /** See `callerNetwork`. */
  readonly network: string;
}

const seenEveryMs = 60_000;
const closeTimeoutMs = 1000;

/** Listens for devices, which authenticate by certificate. Rejects when the port is in use. */
export async function openRadsec(
  options: RadsecOptions & ListenerContext,
  handlers: RadiusHandlers,
  take: (arrival: Arrival) => void,
): Promise<Radsec> {
  const { count, failed } = handlers;
  const { host = anyAddress, maxPerAddress = 100, maxPerDevice = 32, idleMs = 600_000 } = options;
  const open = new Set<Connection>();
  let paused = false;

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
  const maxConnections = options.maxConnections ?? 5000;
  const accepted = new Set<Accepted>();
  const ofNetwork = new Map<string, Set<Accepted>>();
  /** Connections that have not shown a known certificate, the oldest first, by their peer: TLS puts a socket around another. */
  const strangers = new Map<string, Accepted>();
  const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

  // Checked before the handshake, which is expensive. The check costs the same however many connections strangers hold.
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const one = { socket, peer: peerOf(socket), network: callerNetwork(socket.remoteAddress ?? '') };
    // Strangers that only wait must keep no device out, also not those behind its own address, as its guests are.
    const neighbours = ofNetwork.get(one.network) ?? new Set<Accepted>();
    if (neighbours.size >= maxPerAddress && !pushOut(neighbours)) return refuse(socket, 'too_many_of_address');
    if (accepted.size >= maxConnections && !pushOut(strangers.values())) return refuse(socket, 'too_many');
    accepted.add(one);
    strangers.set(one.peer, one);
    ofNetwork.set(one.network, neighbours.add(one));
    socket.on('close', () => forget(one));
  });
  /** Closes the oldest unidentified connection among these. Returns whether one was closed. */
  const pushOut = (among: Iterable<Accepted>): boolean => {
    for (const one of among) {
      if (strangers.get(one.peer) !== one) continue;
      forget(one);
      refuse(one.socket, 'pushed_out');
      return true;
    }
    return false;
  };
  const forget = (one: Accepted): void => {
    accepted.delete(one);
    if (strangers.get(one.peer) === one) strangers.delete(one.peer);
    const neighbours = ofNetwork.get(one.network);
    neighbours?.delete(one);
    if (neighbours?.size === 0) ofNetwork.delete(one.network);
  };
  // Node reports a handshake that takes too long but does not close the connection.
  server.on('tlsClientError', (_error, socket) => refuse(socket, 'handshake'));
  server.on('secureConnection', socket => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(idleMs, () => socket.destroy());
    const certificate = socket.getPeerX509Certificate();
    if (!certificate || paused) return refuse(socket, certificate ? 'closing' : 'no_certificate');
    const connection: Connection = { socket, fingerprint: fingerprintOf(certificate.raw), certified: undefined };
    // Added before the look-up, so that revoking the certificate in the meantime closes this connection too.
    open.add(connection);
    socket.on('close', () => open.delete(connection));
    authenticate(connection).catch(error => {
      failed('resolveCertificates', error);
      refuse(socket, 'away');
    });
  });

  async function authenticate(connection: Connection): Promise<void> {
    const { socket, fingerprint } = connection;
    const found = (await handlers.resolveCertificates([fingerprint])).get(fingerprint);
    if (socket.destroyed) return;
    if (!found) return refuse(socket, 'unknown_certificate');
    const sameDevice = [...open].filter(it => it.certified && peerId(it.certified) === peerId(found));
    if (sameDevice.length >= maxPerDevice) return refuse(socket, 'too_many_of_device');
    connection.certified = found;
    strangers.delete(peerOf(socket));
    count('radsec_connections_total', {});
    serve(connection, { options, handlers, take, isPaused: () => paused });
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
      // While the database is unavailable, certificates that were valid stay valid.
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
    pause: () => {
      paused = true;
      for (const { socket } of open) socket.pause();
    },
    close: async () => {
      paused = true;
      clearInterval(timer);
      const ended = new Promise<void>(resolve => server.close(() => resolve()));
      // Bytes already written are still sent, within a time limit.
      for (const { socket } of open) socket.end();
      const closeTimer = setTimeout(
        () => accepted.forEach(({ socket }) => void socket.destroy()),
        open.size ? closeTimeoutMs : 0,
      );
      await ended;
      clearTimeout(closeTimer);
    },
  };
}

/** SHA-256 of a certificate's DER, in hex. */
const fingerprintOf = (certificate: Buffer): string => createHash('sha256').update(certificate).digest('hex');

interface Service {
  readonly options: RadsecOptions & ListenerContext;
  readonly handlers: RadiusHandlers;
  readonly take: (arrival: Arrival) => void;
  readonly isPaused: () => boolean;
}

const peerId = (peer: CertifiedPeer): string => ('device' in peer ? peer.device.id : peer.proxy.id);

let connections = 0;

/** Reads the requests of an authenticated connection and writes the replies. */
function serve(connection: Connection, { options, handlers, take, isPaused }: Service): void {
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
  // While reading is paused, the rest of the packet may already be in the socket.
  const giveUp = (): void => {
    if (socket.isPaused()) incomplete = setTimeout(giveUp, packetMs);
    else close('incomplete_packet');
  };
  const mustWait = (): boolean => pending >= maxPending || socket.writableNeedDrain;
  const resume = (): void => {
    if (socket.isPaused() && !mustWait() && !isPaused()) socket.resume();
  };

  const reportSeen = (peer: CertifiedPeer): void => {
    if (!('device' in peer)) return;
    const { id, device } = peer;
    const at = steadyNow();
    if (at - lastReportAt < seenEveryMs) return;
    lastReportAt = at;
    void Promise.resolve()
      .then(() => handlers.seenCertificate(device, id))
      .catch(error => failed('seenCertificate', error));
  };

  /** Requires the Message-Authenticator from a device that has sent it once, like the UDP device directory. */
  const learned = (device: RadiusDevice): void => {
    const certified = connection.certified!;
    if (!('device' in certified)) return;
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
    if (isPaused()) return drop('closing');
    if (certified.expiresAt.getTime() <= Date.now()) return close('expired_certificate');
    if (!options.admits(peerId(certified))) return drop('flood');
    const packet = decode(bytes);
    if (typeof packet === 'string') return close(packet);
    const kind = packet.code === code['Accounting-Request'] ? 'acct' : 'auth';
    const isStatus = packet.code === code['Status-Server'];
    if (kind === 'auth' && !isStatus && packet.code !== code['Access-Request']) return drop('wrong_code');
    const claimed = readText(packet, attribute['NAS-Identifier']);
    reportSeen(certified);
    pending += 1;
    const receivedAt = new Date();
    const hand = (device: RadiusDevice): void => pass(packet, device, { kind, receivedAt });
    const refuse = (reason: string): void => {
      pending -= 1;
      drop(reason);
      resume();
    };
    if ('proxy' in certified) {
      const { proxy } = certified;
      if (isStatus) return hand(asSender(proxy));
      const report = (): void => options.unknown({ sourceIp, nasIdentifier: claimed, proxy, at: receivedAt });
      if (!claimed) {
        report();
        return refuse('no_nas_identifier');
      }
      void options.find(claimed).then(device => {
        if (device === 'unknown') report();
        if (typeof device === 'string') refuse(`${device}_device`);
        else if (maySpeakFor(proxy, device)) hand(forwarded(device, proxy));
        else refuse('foreign_nas_identifier');
      });
      return;
    }
    // The certificate identifies the device. A request that names another device is dropped, but not a status check:
    // FreeRADIUS sends "Status Check 0. Are you alive?" as NAS-Identifier, and gives up on a server that is silent.
    if (!isStatus && claimed !== undefined && claimed !== certified.nasIdentifier)
      return refuse('foreign_nas_identifier');
    hand(certified.device);
  };

  const pass = (packet: Packet, device: RadiusDevice, it: Pick<Arrival, 'kind' | 'receivedAt'>): void =>
    take({
      ...it,
      since: steadyNow(),
      listener: 'radsec',
      packet,
      device,
      socket: name,
      sourceIp,
      learned: () => learned(device),
      answer: (reply, reason) => {
        pending -= 1;
        // RFC 6613 section 2.6.4: a packet with a wrong authenticator closes its connection.
        if (reason?.startsWith('wrong_')) socket.destroy();
        if (reply && socket.writable) socket.write(reply);
        resume();
      },
    });

  const stream = createPacketStream(bytes => {
    clearTimeout(incomplete);
    incomplete = undefined;
    receive(bytes);
  });
  socket.on('drain', resume);
  socket.on('data', chunk => {
    if (!stream.push(chunk as Buffer)) return close('bad_length');
    if (stream.held() > 0) incomplete ??= setTimeout(giveUp, packetMs);
    if (mustWait()) socket.pause();
  });
  socket.on('end', () => socket.end());
  reportSeen(connection.certified!);
}
