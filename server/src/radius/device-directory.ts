import { createCache } from '#lib/cache.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { RadiusDevice, RadiusHandlers } from './types.ts';

/** `unknown`: no such device. `busy`: too many look-ups in progress. `away`: the look-up failed. */
export type Missing = 'unknown' | 'busy' | 'away';

export interface DeviceDirectory {
  readonly find: (nasIdentifier: string) => Promise<RadiusDevice | Missing>;
  /** Whether it was found before, so that it is looked up at most once in a while. */
  readonly knows: (nasIdentifier: string) => boolean;
  /** Requires the Message-Authenticator from now on, because an Access-Request had a valid one. */
  readonly learned: (nasIdentifier: string, device: RadiusDevice) => void;
  /** Looks up a changed device again at its next packet; without a name, all devices. */
  readonly forget: (nasIdentifier?: string) => void;
}

interface Known {
  readonly device: RadiusDevice;
  readonly until: number;
}

const longestIdentifier = 64;

/**
 * Finds devices by NAS-Identifier. It caches devices for `freshMs` and unknown names for `absentMs`. Against floods,
 * it caches at most `maxAbsent` unknown names and runs at most `lookups` look-ups of uncached names at a time.
 */
export const createDeviceDirectory = (
  handlers: Pick<RadiusHandlers, 'resolveDevice' | 'learnedMessageAuthenticator' | 'failed'>,
  { freshMs = 5000, absentMs = 10_000, maxAbsent = 10_000, lookups = 32, now = steadyNow } = {},
): DeviceDirectory => {
  const known = new Map<string, Known>();
  const absent = createCache<string, true>({ maxEntries: maxAbsent, ttlMs: absentMs, now });
  const pending = new Map<string, Promise<RadiusDevice | Missing>>();
  // Names whose flag is not read back from the database yet. After that, an operator may clear the flag.
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
    const running = pending.get(nasIdentifier);
    if (running) return running;
    // A known device is always looked up, so that a flood of invented names cannot lock it out.
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

  return { find, knows: name => known.has(name), learned, forget };
};
