import { bisectOnError } from '#db/batches.ts';
import { markSeen, requireMessageAuthenticator } from '#features/devices/public.ts';
import { proveSources } from '#features/log-sources/public.ts';
import type { App } from '#lib/app.ts';
import { collect } from '#lib/collect.ts';
import type { RadiusDevice, SeenFacts } from '#radius/types.ts';

const everyMs = 100;
/** Five seconds. Then the next packet of the device counts. */
const mostTries = 50;

interface Seen {
  readonly device: RadiusDevice;
  /** Undefined: it sent its first Message-Authenticator. */
  readonly facts?: SeenFacts;
  /** How often the device was locked. */
  readonly tries?: number;
}

/**
 * Stores which devices sent packets, together for all packets of a tenth of a second: a thousand routers would make two hundred
 * transactions a second, each with a write to the disk.
 */
export function createSeenDevices({ db, log }: Pick<App, 'db' | 'log'>) {
  const store = async (seen: readonly Seen[]): Promise<undefined[]> => {
    const learned = seen.filter(it => !it.facts).map(it => it.device.id);
    const packets = seen.flatMap(({ device, facts }) => (facts ? [{ device, facts }] : []));
    const devices = packets.map(({ device, facts }) => ({
      ...{ tenant: device.tenantId, id: device.id, at: facts.at, kind: facts.kind, skew: facts.clockSkewSeconds },
      // The address of a proxy is not the device's.
      ...(!device.proxy && { address: facts.sourceIp }),
    }));
    const proven = packets.flatMap(({ device, facts: { proof, sourceIp: address } }) =>
      proof ? [{ tenant: device.tenantId, device: device.id, address, proof }] : [],
    );
    const free = await db.systemTrip(async tx => {
      const [rows] = await Promise.all([
        devices.length > 0 ? markSeen(tx, devices) : [],
        proven.length > 0 && proveSources(tx, proven),
        learned.length > 0 && requireMessageAuthenticator(tx, learned),
      ]);
      return new Set(rows.map(row => row.id));
    });
    for (const it of seen) {
      const { facts, device, tries = 0 } = it;
      if (facts && tries < mostTries && !free.has(device.id)) add({ ...it, tries: tries + 1 });
    }
    return seen.map(() => undefined);
  };
  const failed = (_: unknown, error: unknown): undefined =>
    void log.warn({ err: error }, 'it was not stored that devices sent packets');
  const add = collect<Seen>(everyMs, async seen => {
    await bisectOnError(seen, store, failed).catch((error: unknown) => failed(seen, error));
  });
  return {
    /** A packet that proves its sender to be the device. */
    seen: (device: RadiusDevice, facts: SeenFacts): void => add({ device, facts }),
    /** The device sent its first Message-Authenticator. */
    learnedMessageAuthenticator: (device: RadiusDevice): void => add({ device }),
  };
}
