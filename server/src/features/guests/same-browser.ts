import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { ClientInfo } from './client-info.ts';

/**
 * Marks an address that has what a cookie would have, for browsers that refuse cookies, so that it counts in this browser only.
 * Another person who opens the link would otherwise go on as its sender. Phones of the same kind behind the same NAT have the same
 * mark: then only a gateway that tells RADIUS the MAC can refuse the other phone.
 */
export const browserMark = (
  { secrets }: Pick<App, 'secrets'>,
  { address, userAgent }: Pick<ClientInfo, 'address' | 'userAgent'>,
): string => secrets.signBriefly(`browser ${callerNetwork(address)} ${userAgent}`).slice(0, 16);
