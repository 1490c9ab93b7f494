import { createCache } from '#lib/cache.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { Arrival } from './arrival.ts';
import { readClockSkew, readNasAddress } from './requests.ts';
import type { RadiusHandlers, RadiusProxy, SeenFacts } from './types.ts';

const dayMs = 86_400_000;

type Handlers = Pick<RadiusHandlers, 'seen' | 'seenProxy' | 'badSecret' | 'failed'>;

/** Reports received packets: each kind from each address of a device at most once in `everyMs`. */
export const createLastSeen = (handlers: Handlers, everyMs: number) => {
  const last = createCache<string, number>({ maxEntries: 100_000 });
  /** The first source address of each authenticator. A replayed packet must not prove another address. */
  const origins = createCache<string, string>({ maxEntries: 100_000, ttlMs: dayMs });

  const isDue = (what: string): boolean => {
    const time = steadyNow();
    if (time - (last.get(what) ?? 0) < everyMs) return false;
    last.set(what, time);
    return true;
  };
  const report = (where: string, work: () => unknown): void =>
    void Promise.resolve()
      .then(work)
      .catch(error => handlers.failed(where, error));

  const proofOf = ({ listener, device, packet, sourceIp }: Arrival): SeenFacts['proof'] => {
    // The address is the proxy's.
    if (device.proxy) return undefined;
    if (listener === 'radsec') return 'radsec';
    const key = device.id + packet.authenticator.toString('latin1');
    const origin = origins.get(key);
    if (origin === undefined) origins.set(key, sourceIp);
    return origin === undefined || origin === sourceIp ? 'radius' : undefined;
  };

  return {
    /** Reports a packet that was made with another secret. */
    badSecret: ({ device, sourceIp, receivedAt: at }: Arrival): void => {
      if (isDue(`${device.id} badSecret`)) report('badSecret', () => handlers.badSecret?.(device, { sourceIp, at }));
    },
    /** Reports a packet that a proxy sent or forwarded. */
    proxySeen: ({ receivedAt: at }: Arrival, proxy: RadiusProxy): void => {
      if (isDue(`${proxy.id} proxy`)) report('seenProxy', () => handlers.seenProxy(proxy, at));
    },
    /** Reports a packet that proves its sender to be the device. */
    seen: (kind: SeenFacts['kind'], arrival: Arrival): void => {
      const { packet, device, sourceIp, receivedAt: at } = arrival;
      const proof = proofOf(arrival);
      if (!isDue(`${device.id} ${kind} ${sourceIp}`)) return;
      const nasIp = readNasAddress(packet);
      const clockSkewSeconds = readClockSkew(packet, at);
      report('seen', () => handlers.seen(device, { sourceIp, kind, proof, nasIp, at, clockSkewSeconds }));
    },
  };
};
