import { readPurchase, type StoredPurchase } from '#features/packages/public.ts';
import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../cookie.ts';
import type { GuestContext } from '../guest-context.ts';
import { boughtSeconds, packState, unpackState, type Visit } from '../guest-state.ts';

/** The last purchase of this browser. With it a guest comes back to a payment, and to the access that was paid for. */

const name = 'portico_bought';

export function boughtCookie({ secrets }: App, visit: Visit, purchase: string): Cookie {
  // The page that the guest wanted to see may be long, and is not needed again.
  const value = packState(secrets, { step: 'bought', visit: { ...visit, orig: '' }, purchase });
  return { name, value, seconds: boughtSeconds, path: '/w' };
}

/** Deletes the cookie. */
export const noBoughtCookie: Cookie = { name, value: '', seconds: 0, path: '/w' };

/** The visit in which this browser bought, and the id of the purchase. */
export function boughtBy({ secrets }: App, { cookies }: ClientInfo) {
  const value = /(?:^|;\s*)portico_bought=([\w.-]+)(?:;|$)/.exec(cookies)?.[1];
  return value ? unpackState(secrets, 'bought', value) : undefined;
}

/**
 * The purchase of this browser at a location; undefined without one. A paid purchase without a visitor is of a guest who was
 * deleted: no browser opens it any more.
 */
export async function purchaseOf(
  app: App,
  context: GuestContext,
  client: ClientInfo,
): Promise<StoredPurchase | undefined> {
  const bought = boughtBy(app, client);
  if (!bought) return undefined;
  const found = await app.db.withTenant(context.tenantId, tx => readPurchase(tx, bought.purchase));
  const isGone = found?.state === 'paid' && found.visitor_id === null;
  return found?.location_id === context.location_id && !isGone ? found : undefined;
}
