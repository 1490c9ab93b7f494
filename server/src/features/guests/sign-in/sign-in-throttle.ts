import { createThrottle } from '#features/auth/public.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { GuestRequest } from '../arrival/check-arrival.ts';

// A venue's guests share one public address, so an address may fail often; a device and a guessed account may not.
const perNetwork = createThrottle(300);
const perDevice = createThrottle(8);
const perTarget = createThrottle(20);

/**
 * Slows down guessing. `begin` throws too_many with the seconds to wait, else it returns the function that ends the attempt.
 * `target`: the account that is guessed at; null if the method has nothing to guess.
 */
export function throttles({ context, visit }: GuestRequest, address: string, slug: string, target: string | null) {
  const network = callerNetwork(address);
  const device = `${context.device_id} ${visit.mac} ${network}`;
  const keys = [
    [perNetwork, network],
    [perDevice, device],
    ...(target === null ? [] : [[perTarget, `${context.location_id} ${slug} ${target}`] as const]),
  ] as const;
  return {
    begin: (): (() => void) => {
      const begun: (() => void)[] = [];
      const end = () => begun.splice(0).forEach(it => it());
      try {
        for (const [throttle, key] of keys) begun.push(throttle.begin(key));
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    failed: () => keys.forEach(([throttle, key]) => throttle.failed(key)),
    succeeded: () => perDevice.succeeded(device),
  };
}
