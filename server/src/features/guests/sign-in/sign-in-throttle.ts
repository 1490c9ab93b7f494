import { type Attempt, beginAttempt, createLimit } from '#features/throttle/public.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { GuestRequest } from '../arrival/check-arrival.ts';

// A venue's guests share one public address, so an address may fail often; a device and a guessed account may not.
const perNetwork = createLimit('guest network', 300);
const perTarget = createLimit('guest account', 20);
export const perDevice = createLimit('guest device', 8);

/**
 * Slows down guessing. Throws too_many with the seconds to wait, else returns the attempt.
 * `target`: the account that is guessed at; null if the method has nothing to guess.
 */
export function beginGuess(
  app: App,
  { context, visit }: GuestRequest,
  it: { address: string; slug: string; target: string | null },
): Promise<Attempt> {
  const network = callerNetwork(it.address);
  return beginAttempt(app, [
    [perNetwork, network],
    [perDevice, `${context.device_id} ${visit.mac} ${network}`],
    ...(it.target === null ? [] : [[perTarget, `${context.location_id} ${it.slug} ${it.target}`] as const]),
  ]);
}
