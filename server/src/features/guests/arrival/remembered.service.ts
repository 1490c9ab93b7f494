import { createHash } from 'node:crypto';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { randomToken } from '#lib/ids.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../cookie.ts';
import type { GuestRequest } from '../guest-context.ts';
import { offeredMethods } from '../guest-views.ts';
import { findRemembered } from './remembered.queries.ts';

/** The cookie that identifies a returning guest's browser. */

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const named = (hash: string): string => `portico_guest_${hash.slice(0, 12)}`;

/**
 * Each location has its own cookie, because a guest may be known at several. The name does not depend on a key: a tenant that
 * moves to another installation keeps its host name, and the browsers keep the cookie.
 */
export const cookieName = (locationId: string): string =>
  named(createHash('sha256').update(`guest cookie ${locationId}`).digest('hex'));

/** The token in the browser's cookie; empty without one. */
function tokenOf(app: App, locationId: string, { cookies }: ClientInfo): string {
  const pairs = cookies.split(/;\s*/);
  // Before 0.6 the name depended on the key.
  for (const name of [cookieName(locationId), named(app.secrets.sign(`guest cookie ${locationId}`))]) {
    const pair = pairs.find(it => it.startsWith(`${name}=`));
    if (pair) return pair.slice(name.length + 1);
  }
  return '';
}

export const tokenHashOf = (app: App, locationId: string, client: ClientInfo): Buffer =>
  hashOf(tokenOf(app, locationId, client));

export const daySeconds = 86_400;

/** The guest that a ticket remembers, and the cookie for its browser; undefined if the sign-in method remembers no guest. */
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
  const cookie = { name: cookieName(locationId), value, seconds: options.remember_days * daySeconds };
  return { cookie, token: hashOf(value), before };
}
