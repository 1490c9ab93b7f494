import { code } from '@portico/radius/attributes.ts';
import { createAnswers } from './answers.ts';
import type { Arrival, Waiting } from './arrival.ts';
import { type Batcher, createBatcher } from './batcher.ts';
import { createBatches } from './batches.ts';
import type { Share } from './fair-queue.ts';
import { createLastSeen } from './last-seen.ts';
import { type Origin, toAccountingRecord, toAuthorizeRequest } from './requests.ts';
import { judge } from './trust.ts';
import type { AccountingRecord, AuthorizeRequest, RadiusHandlers } from './types.ts';

export interface ExchangeOptions {
  /** See `BatcherOptions`. */
  readonly batchSize?: number | undefined;
  readonly batchesInFlight?: number | undefined;
  readonly batchWaitMs?: number | undefined;
  readonly queueCapacity?: number | undefined;
  /** Minimum time between two reports to `seen` for a device. */
  readonly seenEveryMs?: number | undefined;
  /** An Access-Request that waited longer is dropped. Its router has given up, and a decision would use up the ticket. */
  readonly staleRequestMs?: number | undefined;
}

/** Verifies the requests of devices, collects them into batches, has them decided and replies. */
export interface Exchange {
  readonly take: (arrival: Arrival) => void;
  readonly stats: () => { readonly authWaiting: number; readonly acctWaiting: number; readonly remembered: number };
  /** Resolves when all accepted requests are answered, at the latest after 5 s. */
  readonly drained: () => Promise<void>;
}

const longestDrainMs = 5000;
const statusAnswer = { auth: code['Access-Accept'], acct: code['Accounting-Response'] } as const;

/** Guests who share a visitor or a guest device are admitted one after another. User names are unique per location. */
const requestShare = ({ device, item: { userName, mac } }: Waiting<AuthorizeRequest>): Share => ({
  tenant: device.tenantId,
  sender: device.id,
  subjects: [`${device.locationId ?? device.id} ${userName}`, ...(mac ? [`${device.tenantId} ${mac}`] : [])],
});

/** Records of a guest device are applied one after another, and so are the restarts of the routers of a location. */
const recordShare = ({ device, item }: Waiting<AccountingRecord>): Share => {
  const from = { tenant: device.tenantId, sender: device.id };
  return 'sessionId' in item
    ? { ...from, subjects: [`${device.tenantId} ${item.mac ?? `${device.id} ${item.sessionId}`}`] }
    : { ...from, subjects: [`${device.locationId ?? device.id} restarts`], barrier: true };
};

/** Replies are sent after the commit of what they report. Never throws. */
export const createExchange = (options: ExchangeOptions, handlers: RadiusHandlers): Exchange => {
  const { batchSize = 500, batchesInFlight = 2, batchWaitMs = 4, queueCapacity = 20_000 } = options;
  const answers = createAnswers(handlers);
  const batches = createBatches(answers, handlers, options.staleRequestMs ?? 10_000);
  const lastSeen = createLastSeen(handlers, options.seenEveryMs ?? 10_000);
  const limits = { size: batchSize, waitMs: batchWaitMs, inFlight: batchesInFlight, capacity: queueCapacity };
  const perSender = Math.ceil(queueCapacity / 4);
  const authQueue = createBatcher<Waiting<AuthorizeRequest>>({
    ...limits,
    fairness: { of: requestShare, perSubject: 50, perSender },
    run: batches.authorize,
  });
  const acctQueue = createBatcher<Waiting<AccountingRecord>>({
    ...limits,
    fairness: { of: recordShare, perSubject: 8, perSender },
    run: batches.account,
  });

  const enqueue = <T>(queue: Batcher<Waiting<T>>, waiting: Waiting<T>): void => {
    if (!queue.add(waiting)) answers.forget([waiting], 'queue_full');
  };

  const takeAccess = (arrival: Arrival, origin: Origin, hasAuthenticator: boolean): void => {
    const { listener, device, sourceIp } = arrival;
    const proven = hasAuthenticator || listener === 'radsec' || device.provenAddresses?.has(sourceIp) === true;
    if (!proven) handlers.count('radius_unproven_total', { listener });
    const item = toAuthorizeRequest(arrival.packet, { ...origin, proven });
    if (item) enqueue(authQueue, { ...arrival, item });
    else answers.forget([arrival], 'incomplete');
  };

  const takeAccounting = (arrival: Arrival, origin: Origin): void => {
    const item = toAccountingRecord(arrival.packet, origin);
    if (item === 'incomplete') answers.forget([arrival], item);
    else if (item === 'unsupported') answers.reply(arrival, { code: code['Accounting-Response'], attributes: [] });
    else enqueue(acctQueue, { ...arrival, item });
  };

  const take = (arrival: Arrival): void => {
    const { listener, kind, packet, device, sourceIp, receivedAt } = arrival;
    const trust = judge(packet, device, listener === 'radsec');
    if (trust !== 'proven' && trust !== 'unproven') {
      if (trust.startsWith('wrong_') && !device.proxy) lastSeen.badSecret(arrival);
      return answers.drop(arrival, trust);
    }
    const isStatus = packet.code === code['Status-Server'];
    if (trust === 'proven') {
      if (device.proxy) lastSeen.proxySeen(arrival, device.proxy);
      else if (packet.code === code['Access-Request']) arrival.learned();
      if (!device.proxy || !isStatus) lastSeen.seen(isStatus ? 'status' : kind, arrival);
    }
    if (isStatus) return answers.reply(arrival, { code: statusAnswer[kind], attributes: [] });
    if (!answers.isNew(arrival)) return;
    const origin = { device, sourceIp, receivedAt };
    if (kind === 'auth') takeAccess(arrival, origin, trust === 'proven');
    else takeAccounting(arrival, origin);
  };

  return {
    take,
    stats: () => ({
      authWaiting: authQueue.waiting(),
      acctWaiting: acctQueue.waiting(),
      remembered: answers.remembered(),
    }),
    drained: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestDrainMs);
      await Promise.race([Promise.all([authQueue.drained(), acctQueue.drained()]), late]);
      clearTimeout(timer);
    },
  };
};
