import { createThrottle } from '#features/auth/public.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { Standing } from '../arrival/check-arrival.ts';

// A venue's guests share one public address, so that one takes many failures; a device and whom a guess is aimed at take few.
const perNetwork = createThrottle(300);
const perDevice = createThrottle(8);
const perTarget = createThrottle(20);

/**
 * Slows down guessing: `begin` throws too_many, with the seconds to wait, and answers what ends the try. `target` null: nobody
 * to guess.
 */
export function throttles(at: Standing, address: string, slug: string, target: string | null) {
  const network = callerNetwork(address);
  const device = `${at.door.device_id} ${at.state.mac} ${network}`;
  const keys = [
    [perNetwork, network],
    [perDevice, device],
    ...(target === null ? [] : [[perTarget, `${at.door.location_id} ${slug} ${target}`] as const]),
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
