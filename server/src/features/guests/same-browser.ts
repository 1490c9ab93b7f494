import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { ClientInfo } from './client-info.ts';

/**
 * Marks an address that has what a cookie would have, for browsers that refuse cookies, so that it counts in this browser only.
 * Who gets it as a link would else go on as the guest that it came from. The same kind of phone behind the same NAT looks the
 * same to us: only a gateway that tells RADIUS the MAC keeps that one out.
 */
export const browserMark = (
  { secrets }: Pick<App, 'secrets'>,
  { address, userAgent }: Pick<ClientInfo, 'address' | 'userAgent'>,
): string => secrets.signBriefly(`browser ${callerNetwork(address)} ${userAgent}`).slice(0, 16);
