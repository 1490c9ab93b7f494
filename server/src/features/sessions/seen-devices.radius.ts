import { bisectOnError } from '#db/batches.ts';
import { markSeen, requireMessageAuthenticator } from '#features/devices/public.ts';
import { proveSources } from '#features/log-sources/public.ts';
import type { App } from '#lib/app.ts';
import { collect } from '#lib/collect.ts';
import type { RadiusDevice, SeenFacts } from '#radius/types.ts';

const everyMs = 100;
/** Five seconds. Then the next packet of the device counts. */
const maxTries = 50;
/** A minute, because a device sends its first Message-Authenticator once. */
const maxTriesOfFirst = 600;

interface Seen {
  readonly device: RadiusDevice;
  /** Undefined: it sent its first Message-Authenticator. */
  readonly facts?: SeenFacts;
  /** How often it could not be stored. */
  readonly tries?: number;
}

/**
 * Stores which devices sent packets, together for all packets of a tenth of a second. Otherwise a thousand routers would
 * cause two hundred transactions a second, each with a write to the disk.
 */
export function createSeenDevices({ db, log }: Pick<App, 'db' | 'log'>) {
  const store = async (seen: readonly Seen[]): Promise<undefined[]> => {
    const first = seen.filter(it => !it.facts).map(it => it.device.id);
    const packets = seen.flatMap(({ device, facts }) => (facts ? [{ device, facts }] : []));
    const devices = packets.map(({ device, facts }) => ({
      ...{ tenant: device.tenantId, id: device.id, at: facts.at, kind: facts.kind, skew: facts.clockSkewSeconds },
      // The address of a proxy is not the device's.
      ...(!device.proxy && { address: facts.sourceIp }),
    }));
    const proven = packets.flatMap(({ device, facts: { proof, sourceIp: address } }) =>
      proof ? [{ tenant: device.tenantId, device: device.id, address, proof }] : [],
    );
    const [marked, required] = await db.systemTrip(tx =>
      Promise.all([
        devices.length > 0 ? markSeen(tx, devices) : [],
        first.length > 0 ? requireMessageAuthenticator(tx, first) : [],
        proven.length > 0 && proveSources(tx, proven),
      ]),
    );
    const stored = { packets: new Set(marked.map(it => it.id)), first: new Set(required.map(it => it.id)) };
    for (const it of seen) if (!stored[it.facts ? 'packets' : 'first'].has(it.device.id)) again(it);
    return seen.map(() => undefined);
  };
  const again = (it: Seen): void => {
    const tries = (it.tries ?? 0) + 1;
    if (tries <= (it.facts ? maxTries : maxTriesOfFirst)) add({ ...it, tries });
  };
  const failed = (error: unknown): void => log.warn({ err: error }, 'the latest packets of devices were not stored');
  const { add, end } = collect<Seen>(everyMs, async seen => {
    await bisectOnError(seen, store, (_, error) => void failed(error)).catch((error: unknown) => {
      failed(error);
      for (const it of seen) if (!it.facts) again(it);
    });
  });
  return {
    /** A packet that proves its sender to be the device. */
    seen: (device: RadiusDevice, facts: SeenFacts): void => add({ device, facts }),
    /** The device sent its first Message-Authenticator. */
    learnedMessageAuthenticator: (device: RadiusDevice): void => add({ device }),
    end,
  };
}
