import { attribute, code, codeName } from '@portico/radius/attributes.ts';
import { encodeReply } from '@portico/radius/encode.ts';
import { decode, type Packet, readAddress, readText } from '@portico/radius/packet.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { createDeviceDirectory } from './device-directory.ts';
import { createDuplicates } from './duplicates.ts';
import { createFloodLimit } from './flood-limit.ts';
import { acceptAttributes, rejectAttributes } from './reply-attributes.ts';
import { type Origin, readClockSkew, toAccountingRecord, toAuthorizeRequest } from './requests.ts';
import { type Door, type From, openDoor } from './socket.ts';
import { judge } from './trust.ts';
import type {
  AccountingRecord,
  AuthorizeDecision,
  AuthorizeRequest,
  RadiusDevice,
  RadiusHandlers,
  SeenFacts,
} from './types.ts';

export interface RadiusOptions {
  /** Address to listen on; all IPv4 addresses when left out. */
  readonly host?: string | undefined;
  /** 0 takes a free port. */
  readonly authPort: number;
  readonly acctPort: number;
  /** Lets several processes share the ports. */
  readonly reusePort?: boolean | undefined;
  /** Packets in a batch, batches at once, milliseconds a batch waits, packets in a queue. */
  readonly batchSize?: number | undefined;
  readonly batchesInFlight?: number | undefined;
  readonly batchWaitMs?: number | undefined;
  readonly queueCapacity?: number | undefined;
  /** Packets a second from one source address. */
  readonly packetsPerSecond?: number | undefined;
  /** How long a device stays in the cache, and the least time between two `seen` of it. */
  readonly deviceFreshMs?: number | undefined;
  readonly seenEveryMs?: number | undefined;
  /** An Access-Request that waited longer is dropped: its router has given up, and a ticket would be used for nobody. */
  readonly staleRequestMs?: number | undefined;
}

export interface RadiusListener {
  readonly authPort: number;
  readonly acctPort: number;
  /** A device was changed: look it up again at its next packet. Without a name, all of them. */
  readonly forgetDevice: (nasIdentifier?: string) => void;
  readonly stats: () => { readonly authWaiting: number; readonly acctWaiting: number; readonly remembered: number };
  /** Stops taking packets, answers those already taken (for 5 s at most), closes the sockets. */
  readonly close: () => Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly packet: Packet;
  readonly device: RadiusDevice;
  readonly from: From;
}

const longestDrainMs = 5000;
const ownCode = { auth: code['Access-Request'], acct: code['Accounting-Request'] } as const;
const statusAnswer = { auth: code['Access-Accept'], acct: code['Accounting-Response'] } as const;

/** Listens for Access- and Accounting-Requests. Rejects when a port cannot be bound; afterwards nothing makes it throw. */
export const startRadius = async (options: RadiusOptions, handlers: RadiusHandlers): Promise<RadiusListener> => {
  const { count, failed } = handlers;
  const { batchSize = 500, batchesInFlight = 2, batchWaitMs = 4, queueCapacity = 20_000 } = options;
  const { seenEveryMs = 10_000, staleRequestMs = 10_000 } = options;
  const directory = createDeviceDirectory(handlers, { freshMs: options.deviceFreshMs ?? 5000 });
  const flood = createFloodLimit({ perSecond: options.packetsPerSecond ?? 3000 });
  const duplicates = { auth: createDuplicates(), acct: createDuplicates() };
  const lastSeen = new Map<string, number>();
  let closing = false;

  const drop = (door: Door, reason: string): void => count('radius_dropped_total', { door: door.name, reason });

  const keyOf = (packet: Packet, from: From): [key: string, authenticator: string] => [
    `${from.address}|${from.port}|${packet.id}`,
    packet.authenticator.toString('latin1'),
  ];

  const reply = (
    door: Door,
    to: Omit<Waiting<unknown>, 'item'>,
    answer: { code: number; attributes: Buffer[] },
  ): void => {
    const bytes = encodeReply(to.packet, { ...answer, secret: to.device.secret });
    duplicates[door.name].finish(...keyOf(to.packet, to.from), bytes);
    door.send(bytes, to.from);
    count('radius_replies_total', { door: door.name, code: codeName(answer.code) ?? String(answer.code) });
  };

  const forget = (door: Door, waiting: Waiting<unknown>): void =>
    duplicates[door.name].forget(...keyOf(waiting.packet, waiting.from));

  const unanswered = (door: Door, batch: readonly Waiting<unknown>[], reason: string): void => {
    for (const waiting of batch) {
      forget(door, waiting);
      drop(door, reason);
    }
  };

  const decide = (door: Door, waiting: Waiting<unknown>, decision: AuthorizeDecision | undefined): void => {
    try {
      if (!decision) throw new Error('authorize answered fewer decisions than requests');
      if (decision.outcome === 'ignore') unanswered(door, [waiting], 'ignored');
      else if (decision.outcome === 'reject')
        reply(door, waiting, { code: code['Access-Reject'], attributes: rejectAttributes(decision.replyMessage) });
      else reply(door, waiting, { code: code['Access-Accept'], attributes: acceptAttributes(decision) });
    } catch (error) {
      failed('reply', error);
      unanswered(door, [waiting], 'unanswerable');
    }
  };

  const runAuthorize = async (door: Door, all: Waiting<AuthorizeRequest>[]): Promise<void> => {
    const oldest = Date.now() - staleRequestMs;
    const isFresh = (waiting: Waiting<AuthorizeRequest>): boolean => waiting.item.receivedAt.getTime() >= oldest;
    const batch = all.filter(isFresh);
    if (batch.length < all.length)
      unanswered(
        door,
        all.filter(waiting => !isFresh(waiting)),
        'stale',
      );
    if (batch.length === 0) return;
    try {
      const decisions = await handlers.authorize(batch.map(waiting => waiting.item));
      count('radius_batches_total', { door: 'auth', outcome: 'committed' });
      batch.forEach((waiting, i) => decide(door, waiting, decisions[i]));
    } catch (error) {
      abandon(door, batch, 'authorize', error);
    }
  };

  const runAccount = async (door: Door, batch: Waiting<AccountingRecord>[]): Promise<void> => {
    try {
      await handlers.account(batch.map(waiting => waiting.item));
      count('radius_batches_total', { door: 'acct', outcome: 'committed' });
      for (const waiting of batch) reply(door, waiting, { code: code['Accounting-Response'], attributes: [] });
    } catch (error) {
      abandon(door, batch, 'account', error);
    }
  };

  // Silence, never a Reject: the routers ask again, and by then the database may be back.
  const abandon = (door: Door, batch: readonly Waiting<unknown>[], where: string, error: unknown): void => {
    count('radius_batches_total', { door: door.name, outcome: 'failed' });
    failed(where, error);
    unanswered(door, batch, 'batch_failed');
  };

  const isDue = (what: string, now: Date): boolean => {
    const time = now.getTime();
    if (time - (lastSeen.get(what) ?? 0) < seenEveryMs) return false;
    lastSeen.set(what, time);
    return true;
  };

  const tellDistrusted = (device: RadiusDevice, sourceIp: string, at: Date): void => {
    if (!isDue(`${device.id} distrusted`, at)) return;
    void Promise.resolve()
      .then(() => handlers.distrusted?.(device, { sourceIp, at }))
      .catch(error => failed('distrusted', error));
  };

  const tellSeen = (kind: SeenFacts['kind'], packet: Packet, { device, sourceIp, receivedAt }: Origin): void => {
    if (!isDue(`${device.id} ${kind}`, receivedAt)) return;
    const nasIp = readAddress(packet, attribute['NAS-IP-Address']);
    const clockSkewSeconds = readClockSkew(packet, receivedAt);
    void Promise.resolve()
      .then(() => handlers.seen(device, { sourceIp, kind, nasIp, at: receivedAt, clockSkewSeconds }))
      .catch(error => failed('seen', error));
  };

  const enqueue = <T>(door: Door, queue: Batcher<Waiting<T>>, waiting: Waiting<T>): void => {
    if (!queue.add(waiting)) unanswered(door, [waiting], 'queue_full');
  };

  const takeAccess = (packet: Packet, from: From, origin: Origin): void => {
    const item = toAuthorizeRequest(packet, origin);
    const to = { packet, from, device: origin.device };
    if (item) enqueue(auth, authQueue, { item, ...to });
    else unanswered(auth, [{ item, ...to }], 'incomplete');
  };

  const takeAccounting = (packet: Packet, from: From, origin: Origin): void => {
    const item = toAccountingRecord(packet, origin);
    const to = { packet, from, device: origin.device };
    if (item === 'incomplete') unanswered(acct, [{ item, ...to }], item);
    else if (item === 'unsupported') reply(acct, to, { code: code['Accounting-Response'], attributes: [] });
    else enqueue(acct, acctQueue, { item, ...to });
  };

  const receive = async (door: Door, datagram: Buffer, from: From): Promise<void> => {
    count('radius_packets_total', { door: door.name });
    if (closing) return drop(door, 'closing');
    if (!flood.admits(from.address)) return drop(door, 'flood');
    const packet = decode(datagram);
    if (typeof packet === 'string') return drop(door, packet);
    const isStatus = packet.code === code['Status-Server'];
    if (!isStatus && packet.code !== ownCode[door.name]) return drop(door, 'wrong_code');
    const nasIdentifier = readText(packet, attribute['NAS-Identifier']);
    if (!nasIdentifier) return drop(door, 'no_nas_identifier');
    const receivedAt = new Date();
    const device = await directory.find(nasIdentifier);
    if (typeof device === 'string') return drop(door, `${device}_device`);
    const trust = judge(packet, device);
    if (trust !== 'proven' && trust !== 'unproven') {
      if (trust !== 'no_message_authenticator') tellDistrusted(device, from.address, receivedAt);
      return drop(door, trust);
    }
    const origin = { device, sourceIp: from.address, receivedAt };
    if (trust === 'proven') {
      if (packet.code === code['Access-Request']) directory.learned(nasIdentifier, device);
      tellSeen(isStatus ? 'status' : door.name, packet, origin);
    }
    if (isStatus) return reply(door, { packet, device, from }, { code: statusAnswer[door.name], attributes: [] });

    const met = duplicates[door.name].begin(...keyOf(packet, from));
    if (met === 'new') return door === auth ? takeAccess(packet, from, origin) : takeAccounting(packet, from, origin);
    count('radius_duplicates_total', { door: door.name, state: met === 'in_progress' ? met : 'answered' });
    if (met !== 'in_progress') door.send(met, from);
  };

  const { host, reusePort } = options;
  const auth = await openDoor({ name: 'auth', port: options.authPort, host, reusePort, failed });
  const acct = await openDoor({ name: 'acct', port: options.acctPort, host, reusePort, failed }).catch(async error => {
    await auth.close();
    throw error;
  });
  const limits = { size: batchSize, waitMs: batchWaitMs, inFlight: batchesInFlight, capacity: queueCapacity };
  const authQueue = createBatcher<Waiting<AuthorizeRequest>>({ ...limits, run: batch => runAuthorize(auth, batch) });
  const acctQueue = createBatcher<Waiting<AccountingRecord>>({ ...limits, run: batch => runAccount(acct, batch) });
  for (const door of [auth, acct])
    door.listen((datagram, from) => {
      receive(door, datagram, from).catch(error => failed('receive', error));
    });

  const shutDown = async (): Promise<void> => {
    closing = true;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestDrainMs);
    await Promise.race([Promise.all([authQueue.drained(), acctQueue.drained()]), late]);
    clearTimeout(timer);
    await Promise.all([auth.close(), acct.close()]);
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= shutDown();
    return closed;
  };

  return {
    authPort: auth.port,
    acctPort: acct.port,
    forgetDevice: directory.forget,
    stats: () => ({
      authWaiting: authQueue.waiting(),
      acctWaiting: acctQueue.waiting(),
      remembered: duplicates.auth.size() + duplicates.acct.size(),
    }),
    close,
  };
};
