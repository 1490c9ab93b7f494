import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, openClient, type RadiusClient } from '@portico/radius/client.ts';
import { type RadiusListener, type RadiusOptions, startRadius } from './listener.ts';
import type { AccountingRecord, AuthorizeRequest, RadiusDevice, RadiusHandlers, SeenFacts } from './types.ts';

/** A listener on free ports with a fake database, for tests over real UDP. */
export interface Fixture {
  readonly listener: RadiusListener;
  readonly devices: Map<string, RadiusDevice>;
  readonly requests: AuthorizeRequest[];
  readonly records: AccountingRecord[];
  readonly batches: number[];
  readonly seen: { readonly deviceId: string; readonly facts: SeenFacts }[];
  readonly learned: string[];
  readonly failures: string[];
  readonly lookUps: string[];
  /** The sum of a counter over all matching labels. */
  readonly counted: (name: string, labels?: Record<string, string>) => number;
  readonly client: (port: 'auth' | 'acct', options?: Partial<ClientOptions>) => RadiusClient;
  /** Sends raw bytes and returns the replies received within `waitMs` after the listener has read the bytes. */
  readonly raw: (port: 'auth' | 'acct', datagrams: readonly Buffer[], waitMs?: number) => Promise<Buffer[]>;
  readonly close: () => Promise<void>;
}

export const fixtureSecret = Buffer.from('testing123');

export const startFixture = async (
  overrides: Partial<RadiusHandlers> = {},
  options: Partial<RadiusOptions> = {},
): Promise<Fixture> => {
  const devices = new Map<string, RadiusDevice>([
    ['nas00001', { id: 'd1', tenantId: 't1', secret: fixtureSecret, requireMessageAuthenticator: false }],
    ['nas00002', { id: 'd2', tenantId: 't2', secret: Buffer.from('another'), requireMessageAuthenticator: true }],
  ]);
  const counters: { name: string; labels: Record<string, string>; value: number }[] = [];
  const clients: RadiusClient[] = [];
  const record = {
    requests: [] as AuthorizeRequest[],
    records: [] as AccountingRecord[],
    batches: [] as number[],
    seen: [] as Fixture['seen'][number][],
    learned: [] as string[],
    failures: [] as string[],
    lookUps: [] as string[],
  };
  const handlers: RadiusHandlers = {
    resolveDevice: async nasIdentifier => {
      record.lookUps.push(nasIdentifier);
      return devices.get(nasIdentifier);
    },
    resolveCertificates: async () => new Map(),
    seenCertificate: () => undefined,
    listProxies: async () => [],
    seenProxy: () => undefined,
    authorize: async batch => {
      record.requests.push(...batch);
      record.batches.push(batch.length);
      return batch.map(request =>
        request.checkPassword('hello')
          ? {
              outcome: 'accept' as const,
              sessionTimeoutSeconds: 3600,
              idleTimeoutSeconds: 600,
              interimIntervalSeconds: 300,
              uploadBps: 2_000_000,
              downloadBps: 8_192_000,
              totalBytes: 5 * 2 ** 32 + 7,
              class: 'c1a55',
            }
          : { outcome: 'reject' as const, replyMessage: 'Yanlış parola' },
      );
    },
    account: async batch => {
      record.records.push(...batch);
      record.batches.push(batch.length);
    },
    learnedMessageAuthenticator: device => {
      record.learned.push(device.id);
    },
    seen: (device, facts) => {
      record.seen.push({ deviceId: device.id, facts });
    },
    count: (name, labels) => {
      const key = JSON.stringify(labels);
      const known = counters.find(one => one.name === name && JSON.stringify(one.labels) === key);
      if (known) known.value += 1;
      else counters.push({ name, labels: { ...labels }, value: 1 });
    },
    failed: (where, error) => {
      record.failures.push(`${where}: ${(error as Error).message}`);
    },
    ...overrides,
  };
  const listener = await startRadius({ host: '127.0.0.1', authPort: 0, acctPort: 0, ...options }, handlers);
  const portOf = (port: 'auth' | 'acct'): number => (port === 'auth' ? listener.authPort : listener.acctPort);

  const counted: Fixture['counted'] = (name, labels = {}) =>
    counters
      .filter(one => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
      .reduce((sum, one) => sum + one.value, 0);
  const arrived = (port: 'auth' | 'acct') => counted('radius_packets_total', { listener: port });

  return {
    listener,
    devices,
    ...record,
    counted,
    client: (port, more = {}) => {
      const client = openClient({
        host: '127.0.0.1',
        port: portOf(port),
        secret: fixtureSecret,
        timeoutMs: 300,
        ...more,
      });
      clients.push(client);
      return client;
    },
    raw: async (port, datagrams, waitMs = 150) => {
      const socket = createSocket('udp4');
      const replies: Buffer[] = [];
      socket.on('message', reply => replies.push(reply));
      const before = arrived(port);
      for (const datagram of datagrams)
        await new Promise(resolve => socket.send(datagram, portOf(port), '127.0.0.1', resolve));
      // The kernel drops some of a storm, so the listener has read them all when no more arrive for a while.
      for (let seen = before, idle = 0; seen < before + datagrams.length && idle < 200; idle += 1) {
        await sleep(10);
        if (arrived(port) === seen) continue;
        seen = arrived(port);
        idle = 0;
      }
      // In short steps: on a busy machine one long timer would end before the sockets are read.
      for (let waited = 0; waited < waitMs; waited += 10) await sleep(10);
      await new Promise<void>(resolve => socket.close(() => resolve()));
      return replies;
    },
    close: async () => {
      for (const client of clients) client.close();
      await listener.close();
    },
  };
};
