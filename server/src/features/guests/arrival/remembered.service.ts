import { createHash } from 'node:crypto';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { randomToken } from '#lib/ids.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../guest-answer.ts';
import { offeredMethods } from '../guest-views.ts';
import type { GuestRequest } from './check-arrival.ts';
import { findRemembered } from './remembered.queries.ts';

/** The cookie that identifies a returning guest's browser. */

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Each location has its own cookie, because a guest may be known at several. */
export const cookieName = (app: App, locationId: string): string =>
  `portico_guest_${app.secrets.sign(`guest cookie ${locationId}`).slice(0, 12)}`;

/** The token in the browser's cookie; empty without one. */
function tokenOf(app: App, locationId: string, { cookies }: ClientInfo): string {
  const name = cookieName(app, locationId);
  const pair = cookies.split(/;\s*/).find(it => it.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}

export const tokenHashOf = (app: App, locationId: string, client: ClientInfo): Buffer =>
  hashOf(tokenOf(app, locationId, client));

export const daySeconds = 86_400;

/** What a ticket remembers of a guest, and the cookie for its browser; undefined if its sign-in method remembers nobody. */
export async function rememberedBy(
  app: App,
  tx: Tx,
  { context }: GuestRequest,
  { slug, visitorId }: { slug: Provider['slug']; visitorId: string },
  client: ClientInfo,
): Promise<{ cookie: Cookie; token: Buffer; before: Buffer } | undefined> {
  const options = offeredMethods(context.portal, app.settings).find(it => it.slug === slug)?.options;
  if (!options || options.remember === 'off') return undefined;
  const locationId = context.location_id;
  const before = tokenHashOf(app, locationId, client);
  const [known] = await findRemembered(tx, { locationId, tokenHash: before, mac: '' });
  // A token is kept only for the same visitor: two people may share a browser, or an attacker may have planted the cookie.
  const value = known?.visitor_id === visitorId ? tokenOf(app, locationId, client) : randomToken();
  const cookie = { name: cookieName(app, locationId), value, seconds: options.remember_days * daySeconds };
  return { cookie, token: hashOf(value), before };
}
