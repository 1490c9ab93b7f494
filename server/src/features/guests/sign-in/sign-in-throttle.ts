import { type Attempt, beginAttempt, type Counted, createLimit, ofNetwork } from '#features/throttle/public.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';

// A venue's guests share one public address, so an address may fail often; a device and a guessed account may not.
const perNetwork = createLimit('guest network', 300);
const perTarget = createLimit('guest account', 20);
/** Failures from all networks together, except the venue's own: strangers must not lock out the guests of a venue. */
const perTargetElsewhere = createLimit('guest account elsewhere', 20);
export const perDevice = createLimit('guest device', 8);

/**
 * Slows down guessing. Throws too_many with the seconds to wait, else returns the attempt.
 * `target`: the account that is guessed at; null if the method has nothing to guess.
 */
export function beginGuess(
  app: App,
  { context, visit }: Pick<GuestRequest, 'visit'> & { readonly context: GuestContext },
  it: { address: string; slug: string; target: string | null },
): Promise<Attempt> {
  const network = callerNetwork(it.address);
  const counted: Counted[] = [
    ...ofNetwork(perNetwork, it.address),
    [perDevice, `${context.device_id} ${visit.mac} ${network}`],
  ];
  if (it.target !== null) {
    const target = `${context.location_id} ${it.slug} ${it.target}`;
    counted.push([perTarget, `${target} ${network}`]);
    const isVenue = context.public_address !== null && callerNetwork(context.public_address) === network;
    if (!isVenue) counted.push([perTargetElsewhere, target]);
  }
  return beginAttempt(app, counted);
}
