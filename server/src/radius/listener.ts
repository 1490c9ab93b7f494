import { attribute, code } from '@portico/radius/attributes.ts';
import { decode, readText } from '@portico/radius/packet.ts';
import { plainAddress } from '#lib/plain-address.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { createDeviceDirectory } from './device-directory.ts';
import { createExchange, type ExchangeOptions } from './exchange.ts';
import { createFloodLimit } from './flood-limit.ts';
import { asSender, createProxyDirectory, forwarded, isForwardedBy, maySpeakFor, senderAmong } from './proxies.ts';
import { openRadsec, type RadsecOptions } from './radsec.ts';
import { openSocket, type RadiusSocket, type RemoteAddress } from './socket.ts';
import { judge } from './trust.ts';
import type { RadiusDevice, RadiusHandlers } from './types.ts';
import { createUnknownDevices } from './unknown-devices.ts';

export interface RadiusOptions extends ExchangeOptions {
  /** Address to listen on; all addresses when left out. */
  readonly host?: string | undefined;
  /** 0 chooses a free port. */
  readonly authPort: number;
  readonly acctPort: number;
  /** RADIUS over TLS; off when left out. */
  readonly radsec?: RadsecOptions | undefined;
  /** Maximum number of packets per second from one source address. */
  readonly packetsPerSecond?: number | undefined;
  /** How long a device stays in the cache. */
  readonly deviceFreshMs?: number | undefined;
}

export interface RadiusListener {
  readonly authPort: number;
  readonly acctPort: number;
  readonly radsecPort: number | undefined;
  /** Looks up a changed device again at its next packet; without a name, all devices. */
  readonly forgetDevice: (nasIdentifier?: string) => void;
  /** Reads the trusted proxies again after a change. */
  readonly reloadProxies: () => void;
  /** Checks all connections after a change of certificates and closes those whose certificate became invalid. */
  readonly recheckCertificates: () => void;
  readonly stats: () => {
    readonly authWaiting: number;
    readonly acctWaiting: number;
    readonly remembered: number;
    readonly radsecConnections: number;
  };
  /** Stops accepting packets, answers those already accepted (for 5 s at most) and closes the sockets. */
  readonly close: () => Promise<void>;
}

/** Beyond the limit of an address, so many times as many packets are still verified. The rest is dropped undecoded. */
const checksPerPacket = 5;

const ownCode = { auth: code['Access-Request'], acct: code['Accounting-Request'] } as const;

/** Listens for Access- and Accounting-Requests. Rejects when a port cannot be bound; never throws afterwards. */
export const startRadius = async (options: RadiusOptions, handlers: RadiusHandlers): Promise<RadiusListener> => {
  const { count, failed } = handlers;
  const directory = createDeviceDirectory(handlers, { freshMs: options.deviceFreshMs ?? 5000 });
  const perSecond = options.packetsPerSecond ?? 3000;
  const flood = createFloodLimit({ perSecond });
  // The guests of a router share its address. What they send must not keep out what the router sends.
  const checks = createFloodLimit({ perSecond: perSecond * checksPerPacket });
  const proven = createFloodLimit({ perSecond });
  const exchange = createExchange(options, handlers);
  const proxies = await createProxyDirectory(handlers);
  const unknown = createUnknownDevices(handlers, { everyMs: Math.min(options.seenEveryMs ?? 5000, 5000) });
  let closing = false;

  const receive = async (socket: RadiusSocket, datagram: Buffer, from: RemoteAddress): Promise<void> => {
    const drop = (reason: string): void => count('radius_dropped_total', { listener: socket.name, reason });
    count('radius_packets_total', { listener: socket.name });
    if (closing) return drop('closing');
    // The kernel delivers datagrams from port 0, but sends none there: the reply of this one would throw.
    if (from.port === 0) return drop('no_source_port');
    const sourceIp = plainAddress(from.address);
    const isFlood = !flood.admits(sourceIp);
    if (isFlood && !checks.admits(sourceIp)) return drop('flood');
    const packet = decode(datagram);
    if (typeof packet === 'string') return drop(packet);
    if (packet.code !== code['Status-Server'] && packet.code !== ownCode[socket.name]) return drop('wrong_code');
    const receivedAt = new Date();
    const take = (device: RadiusDevice, learned: () => void): void => {
      if (isFlood && (judge(packet, device) !== 'proven' || !proven.admits(device.id))) return drop('flood');
      exchange.take({
        listener: socket.name,
        kind: socket.name,
        packet,
        device,
        socket: `${from.address}|${from.port}`,
        sourceIp,
        receivedAt,
        since: steadyNow(),
        answer: reply => reply && socket.send(reply, from),
        learned,
      });
    };
    const here = proxies.at(sourceIp);
    // FreeRADIUS names "Status Check 0. Are you alive?", and other proxies name no device.
    const checking = packet.code === code['Status-Server'] && senderAmong(packet, here);
    if (checking) return take(asSender(checking), () => undefined);
    const nasIdentifier = readText(packet, attribute['NAS-Identifier']);
    if (isFlood && !(nasIdentifier && directory.knows(nasIdentifier))) return drop('flood');
    const device = nasIdentifier ? await directory.find(nasIdentifier) : 'unknown';
    if (device === 'unknown')
      unknown.heard({ sourceIp, nasIdentifier, proxy: senderAmong(packet, here), at: receivedAt });
    if (!nasIdentifier) return drop('no_nas_identifier');
    if (typeof device === 'string') return drop(`${device}_device`);
    const proxy = here.find(it => it.tenantId === device.tenantId);
    if (!proxy || !isForwardedBy(packet, proxy)) return take(device, () => directory.learned(nasIdentifier, device));
    if (!maySpeakFor(proxy, device)) return drop('foreign_nas_identifier');
    take(forwarded(device, proxy), () => undefined);
  };

  const { host } = options;
  const open: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(open.map(end => end()));
  };
  const opened = async <T extends { close: () => Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening.catch(async error => {
      await close();
      throw error;
    });
    open.push(one.close);
    return one;
  };
  const auth = await opened(openSocket({ name: 'auth', port: options.authPort, host, failed }));
  const acct = await opened(openSocket({ name: 'acct', port: options.acctPort, host, failed }));
  const { find } = directory;
  const radsec =
    options.radsec &&
    (await opened(
      openRadsec(
        { host, admits: proven.admits, find, unknown: unknown.heard, ...options.radsec },
        handlers,
        exchange.take,
      ),
    ));
  for (const socket of [auth, acct])
    socket.listen((datagram, from) => {
      receive(socket, datagram, from).catch(error => failed('receive', error));
    });

  const shutDown = async (): Promise<void> => {
    closing = true;
    proxies.close();
    radsec?.pause();
    await exchange.drained();
    await unknown.close();
    await close();
    await handlers.ended?.();
  };
  let closed: Promise<void> | undefined;

  return {
    authPort: auth.port,
    acctPort: acct.port,
    radsecPort: radsec?.port,
    forgetDevice: directory.forget,
    reloadProxies: () => void proxies.reload(),
    recheckCertificates: () => radsec?.recheck(),
    stats: () => ({ ...exchange.stats(), radsecConnections: radsec?.connections() ?? 0 }),
    close: () => {
      closed ??= shutDown();
      return closed;
    },
  };
};
