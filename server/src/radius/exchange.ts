import { attribute, code, codeName } from '@portico/radius/attributes.ts';
import { encodeReply } from '@portico/radius/encode.ts';
import { type Packet, readAddress } from '@portico/radius/packet.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { createDuplicates } from './duplicates.ts';
import { acceptAttributes, rejectAttributes } from './reply-attributes.ts';
import { type Origin, readClockSkew, toAccountingRecord, toAuthorizeRequest } from './requests.ts';
import { judge } from './trust.ts';
import type {
  AccountingRecord,
  AuthorizeDecision,
  AuthorizeRequest,
  RadiusDevice,
  RadiusHandlers,
  SeenFacts,
} from './types.ts';

export interface ExchangeOptions {
  /** Packets in a batch, batches at once, milliseconds a batch waits, packets in a queue. */
  readonly batchSize?: number | undefined;
  readonly batchesInFlight?: number | undefined;
  readonly batchWaitMs?: number | undefined;
  readonly queueCapacity?: number | undefined;
  /** The least time between two `seen` of a device. */
  readonly seenEveryMs?: number | undefined;
  /** An Access-Request that waited longer is dropped: its router has given up, and a ticket would be used for nobody. */
  readonly staleRequestMs?: number | undefined;
}

/** A request of a device, whichever way it came. */
export interface Arrival {
  /** The name of its way, for the counters. */
  readonly door: string;
  readonly kind: 'auth' | 'acct';
  readonly packet: Packet;
  readonly device: RadiusDevice;
  /** Tells its sender's socket from all others. */
  readonly socket: string;
  readonly sourceIp: string;
  readonly receivedAt: Date;
  /** Called exactly once: with what goes back, or with nothing and perhaps the reason why there is no answer. */
  readonly answer: (reply: Buffer | undefined, reason?: string) => void;
  /** The device has shown that it sends the Message-Authenticator. */
  readonly learned: () => void;
}

/** What is done with the requests of devices: they are judged, gathered into batches, decided and answered. */
export interface Exchange {
  readonly take: (arrival: Arrival) => void;
  readonly stats: () => { readonly authWaiting: number; readonly acctWaiting: number; readonly remembered: number };
  /** Resolves when all that was taken is answered, at the latest after 5 s. */
  readonly drained: () => Promise<void>;
}

interface Waiting<T> extends Arrival {
  readonly item: T;
}

const longestDrainMs = 5000;
const statusAnswer = { auth: code['Access-Accept'], acct: code['Accounting-Response'] } as const;

/** Answers leave only after what they tell has been committed; nothing makes it throw. */
export const createExchange = (options: ExchangeOptions, handlers: RadiusHandlers): Exchange => {
  const { count, failed } = handlers;
  const { batchSize = 500, batchesInFlight = 2, batchWaitMs = 4, queueCapacity = 20_000 } = options;
  const { seenEveryMs = 10_000, staleRequestMs = 10_000 } = options;
  const duplicates = { auth: createDuplicates(), acct: createDuplicates() };
  const lastSeen = new Map<string, number>();

  const keyOf = ({ packet, socket }: Arrival): [key: string, authenticator: string] => [
    `${socket}|${packet.id}`,
    packet.authenticator.toString('latin1'),
  ];

  const reply = (to: Arrival, answer: { code: number; attributes: Buffer[] }): void => {
    const bytes = encodeReply(to.packet, { ...answer, secret: to.device.secret });
    duplicates[to.kind].finish(...keyOf(to), bytes);
    to.answer(bytes);
    count('radius_replies_total', { door: to.door, code: codeName(answer.code) ?? String(answer.code) });
  };

  const drop = (arrival: Arrival, reason: string): void => {
    count('radius_dropped_total', { door: arrival.door, reason });
    arrival.answer(undefined, reason);
  };

  const unanswered = (batch: readonly Arrival[], reason: string): void => {
    for (const waiting of batch) {
      duplicates[waiting.kind].forget(...keyOf(waiting));
      drop(waiting, reason);
    }
  };

  const decide = (waiting: Arrival, decision: AuthorizeDecision | undefined): void => {
    try {
      if (!decision) throw new Error('authorize answered fewer decisions than requests');
      if (decision.outcome === 'ignore') unanswered([waiting], 'ignored');
      else if (decision.outcome === 'reject')
        reply(waiting, { code: code['Access-Reject'], attributes: rejectAttributes(decision.replyMessage) });
      else reply(waiting, { code: code['Access-Accept'], attributes: acceptAttributes(decision) });
    } catch (error) {
      failed('reply', error);
      unanswered([waiting], 'unanswerable');
    }
  };

  const runAuthorize = async (all: Waiting<AuthorizeRequest>[]): Promise<void> => {
    const oldest = Date.now() - staleRequestMs;
    const isFresh = (waiting: Arrival): boolean => waiting.receivedAt.getTime() >= oldest;
    const batch = all.filter(isFresh);
    if (batch.length < all.length)
      unanswered(
        all.filter(waiting => !isFresh(waiting)),
        'stale',
      );
    if (batch.length === 0) return;
    try {
      const decisions = await handlers.authorize(batch.map(waiting => waiting.item));
      count('radius_batches_total', { door: 'auth', outcome: 'committed' });
      batch.forEach((waiting, i) => decide(waiting, decisions[i]));
    } catch (error) {
      abandon('auth', batch, 'authorize', error);
    }
  };

  const runAccount = async (batch: Waiting<AccountingRecord>[]): Promise<void> => {
    try {
      await handlers.account(batch.map(waiting => waiting.item));
      count('radius_batches_total', { door: 'acct', outcome: 'committed' });
      for (const waiting of batch) reply(waiting, { code: code['Accounting-Response'], attributes: [] });
    } catch (error) {
      abandon('acct', batch, 'account', error);
    }
  };

  // Silence, never a Reject: the routers ask again, and by then the database may be back.
  const abandon = (kind: Arrival['kind'], batch: readonly Arrival[], where: string, error: unknown): void => {
    count('radius_batches_total', { door: kind, outcome: 'failed' });
    failed(where, error);
    unanswered(batch, 'batch_failed');
  };

  const isDue = (what: string, now: Date): boolean => {
    const time = now.getTime();
    if (time - (lastSeen.get(what) ?? 0) < seenEveryMs) return false;
    lastSeen.set(what, time);
    return true;
  };

  const tellDistrusted = ({ device, sourceIp, receivedAt: at }: Arrival): void => {
    if (!isDue(`${device.id} distrusted`, at)) return;
    void Promise.resolve()
      .then(() => handlers.distrusted?.(device, { sourceIp, at }))
      .catch(error => failed('distrusted', error));
  };

  const tellSeen = (kind: SeenFacts['kind'], { packet, device, sourceIp, receivedAt }: Arrival): void => {
    if (!isDue(`${device.id} ${kind}`, receivedAt)) return;
    const nasIp = readAddress(packet, attribute['NAS-IP-Address']);
    const clockSkewSeconds = readClockSkew(packet, receivedAt);
    void Promise.resolve()
      .then(() => handlers.seen(device, { sourceIp, kind, nasIp, at: receivedAt, clockSkewSeconds }))
      .catch(error => failed('seen', error));
  };

  const enqueue = <T>(queue: Batcher<Waiting<T>>, waiting: Waiting<T>): void => {
    if (!queue.add(waiting)) unanswered([waiting], 'queue_full');
  };

  const takeAccess = (arrival: Arrival, origin: Origin): void => {
    const item = toAuthorizeRequest(arrival.packet, origin);
    if (item) enqueue(authQueue, { ...arrival, item });
    else unanswered([arrival], 'incomplete');
  };

  const takeAccounting = (arrival: Arrival, origin: Origin): void => {
    const item = toAccountingRecord(arrival.packet, origin);
    if (item === 'incomplete') unanswered([arrival], item);
    else if (item === 'unsupported') reply(arrival, { code: code['Accounting-Response'], attributes: [] });
    else enqueue(acctQueue, { ...arrival, item });
  };

  const take = (arrival: Arrival): void => {
    const { kind, packet, device, sourceIp, receivedAt } = arrival;
    const trust = judge(packet, device);
    if (trust !== 'proven' && trust !== 'unproven') {
      if (trust !== 'no_message_authenticator') tellDistrusted(arrival);
      return drop(arrival, trust);
    }
    const isStatus = packet.code === code['Status-Server'];
    if (trust === 'proven') {
      if (packet.code === code['Access-Request']) arrival.learned();
      tellSeen(isStatus ? 'status' : kind, arrival);
    }
    if (isStatus) return reply(arrival, { code: statusAnswer[kind], attributes: [] });

    const met = duplicates[kind].begin(...keyOf(arrival));
    const origin = { device, sourceIp, receivedAt };
    if (met === 'new') return kind === 'auth' ? takeAccess(arrival, origin) : takeAccounting(arrival, origin);
    count('radius_duplicates_total', { door: arrival.door, state: met === 'in_progress' ? met : 'answered' });
    arrival.answer(met === 'in_progress' ? undefined : met);
  };

  const limits = { size: batchSize, waitMs: batchWaitMs, inFlight: batchesInFlight, capacity: queueCapacity };
  const authQueue = createBatcher<Waiting<AuthorizeRequest>>({ ...limits, run: runAuthorize });
  const acctQueue = createBatcher<Waiting<AccountingRecord>>({ ...limits, run: runAccount });

  return {
    take,
    stats: () => ({
      authWaiting: authQueue.waiting(),
      acctWaiting: acctQueue.waiting(),
      remembered: duplicates.auth.size() + duplicates.acct.size(),
    }),
    drained: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestDrainMs);
      await Promise.race([Promise.all([authQueue.drained(), acctQueue.drained()]), late]);
      clearTimeout(timer);
    },
  };
};
