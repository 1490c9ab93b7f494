import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { findRemembered } from '../arrival/remembered.queries.ts';
import { tokenHashOf } from '../arrival/remembered.service.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestRequest } from '../guest-context.ts';
import { visitOfBrowser } from '../online/visit-cookie.ts';

/** Whether this browser has signed in as the visitor before: the cookie of that visit, or the one of a returning guest, proves it. */
export async function isOwnBrowser(
  tx: Tx,
  app: App,
  { context, visit }: GuestRequest,
  client: ClientInfo,
  visitorId: string,
): Promise<boolean> {
  if (visitOfBrowser(app, visit.nas, client)?.visitor === visitorId) return true;
  const locationId = context.location_id;
  const tokenHash = tokenHashOf(app, locationId, client);
  const [known] = await findRemembered(tx, { locationId, tokenHash, mac: '' });
  return known?.by_cookie === true && known.visitor_id === visitorId;
}
