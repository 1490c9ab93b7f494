import { attribute } from '@portico/radius/attributes.ts';
import { readAddress } from '@portico/radius/packet.ts';
import type { Arrival } from './arrival.ts';
import { readClockSkew } from './requests.ts';
import type { RadiusHandlers, SeenFacts } from './types.ts';

/** Tells what devices were heard to do, each thing of a device once in `everyMs`. */
export const createSightings = (handlers: RadiusHandlers, everyMs: number) => {
  const last = new Map<string, number>();
  const isDue = (what: string, now: Date): boolean => {
    const time = now.getTime();
    if (time - (last.get(what) ?? 0) < everyMs) return false;
    last.set(what, time);
    return true;
  };
  const tell = (where: string, work: () => unknown): void =>
    void Promise.resolve()
      .then(work)
      .catch(error => handlers.failed(where, error));

  return {
    /** Its secret does not fit. */
    distrusted: ({ device, sourceIp, receivedAt: at }: Arrival): void => {
      if (isDue(`${device.id} distrusted`, at))
        tell('distrusted', () => handlers.distrusted?.(device, { sourceIp, at }));
    },
    seen: (kind: SeenFacts['kind'], { packet, device, sourceIp, receivedAt: at }: Arrival): void => {
      if (!isDue(`${device.id} ${kind}`, at)) return;
      const nasIp = readAddress(packet, attribute['NAS-IP-Address']);
      const clockSkewSeconds = readClockSkew(packet, at);
      tell('seen', () => handlers.seen(device, { sourceIp, kind, nasIp, at, clockSkewSeconds }));
    },
  };
};
