import { createCache } from '#lib/cache.ts';
import type { RadiusDevice, RadiusHandlers } from './types.ts';

/** `unknown`: no such device. `busy`: too many look-ups under way. `away`: the look-up failed. */
export type Missing = 'unknown' | 'busy' | 'away';

export interface DeviceDirectory {
  readonly find: (nasIdentifier: string) => Promise<RadiusDevice | Missing>;
  /** The device's Access-Request carried a valid Message-Authenticator: from now on each must. */
  readonly learned: (nasIdentifier: string, device: RadiusDevice) => void;
  /** The device was changed: look it up again. Without a name, all of them. */
  readonly forget: (nasIdentifier?: string) => void;
}

interface Known {
  readonly device: RadiusDevice;
  readonly until: number;
}

const longestIdentifier = 64;

/**
 * Finds devices by NAS-Identifier, remembering each for `freshMs` and absent ones for `absentMs`. What strangers can make
 * it do is bounded: `maxAbsent` names are remembered, `lookups` unknown names are looked up at once.
 */
export const createDeviceDirectory = (
  handlers: Pick<RadiusHandlers, 'resolveDevice' | 'learnedMessageAuthenticator' | 'failed'>,
  { freshMs = 5000, absentMs = 10_000, maxAbsent = 10_000, lookups = 32, now = Date.now } = {},
): DeviceDirectory => {
  const known = new Map<string, Known>();
  const absent = createCache<string, true>({ maxEntries: maxAbsent, ttlMs: absentMs, now });
  const pending = new Map<string, Promise<RadiusDevice | Missing>>();
  // Names whose flag the database has not confirmed yet. Once it has, an operator may clear it again.
  const unconfirmed = new Set<string>();

  const remember = (nasIdentifier: string, found: RadiusDevice): RadiusDevice => {
    if (found.requireMessageAuthenticator) unconfirmed.delete(nasIdentifier);
    const required = found.requireMessageAuthenticator || unconfirmed.has(nasIdentifier);
    const device = { ...found, requireMessageAuthenticator: required };
    known.set(nasIdentifier, { device, until: now() + freshMs });
    return device;
  };

  const lookUp = async (nasIdentifier: string): Promise<RadiusDevice | Missing> => {
    try {
      const found = await handlers.resolveDevice(nasIdentifier);
      if (found) return remember(nasIdentifier, found);
      known.delete(nasIdentifier);
      unconfirmed.delete(nasIdentifier);
      absent.set(nasIdentifier, true);
      return 'unknown';
    } catch (error) {
      handlers.failed('resolveDevice', error);
      return 'away';
    } finally {
      pending.delete(nasIdentifier);
    }
  };

  const find = async (nasIdentifier: string): Promise<RadiusDevice | Missing> => {
    const entry = known.get(nasIdentifier);
    if (entry && entry.until > now()) return entry.device;
    if (nasIdentifier.length > longestIdentifier || absent.has(nasIdentifier)) return 'unknown';
    const underWay = pending.get(nasIdentifier);
    if (underWay) return underWay;
    // A known device is always looked up, so that made-up names cannot lock it out.
    if (!entry && pending.size >= lookups) return 'busy';
    const started = lookUp(nasIdentifier);
    pending.set(nasIdentifier, started);
    return started;
  };

  const learned = (nasIdentifier: string, device: RadiusDevice): void => {
    if (device.requireMessageAuthenticator) return;
    unconfirmed.add(nasIdentifier);
    remember(nasIdentifier, device);
    void Promise.resolve()
      .then(() => handlers.learnedMessageAuthenticator(device))
      .catch(error => handlers.failed('learnedMessageAuthenticator', error));
  };

  const forget = (nasIdentifier?: string): void => {
    if (nasIdentifier === undefined) {
      for (const entry of known.keys()) forget(entry);
      absent.clear();
      return;
    }
    const entry = known.get(nasIdentifier);
    if (entry) known.set(nasIdentifier, { ...entry, until: 0 });
    absent.delete(nasIdentifier);
  };

  return { find, learned, forget };
};
