import { createHash } from 'node:crypto';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { newId, randomToken } from '#lib/ids.ts';
import type { From } from '../client-info.ts';
import { offeredMethods } from '../guest-views.ts';
import type { Remembering, Standing } from './check-arrival.ts';
import { findRemembered, remember } from './remembered.queries.ts';

/** The cookie by which a guest's browser is known again. */

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The cookie of a location: in one browser a guest may be known at several. */
export const cookieName = (app: App, locationId: string): string =>
  `portico_guest_${app.secrets.sign(`guest cookie ${locationId}`).slice(0, 12)}`;

/** What the browser came with; empty without a cookie. */
function tokenOf(app: App, locationId: string, { cookies }: From): string {
  const name = cookieName(app, locationId);
  const pair = cookies.split(/;\s*/).find(it => it.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}

export const tokenHashOf = (app: App, locationId: string, from: From): Buffer => hashOf(tokenOf(app, locationId, from));

export const daySeconds = 86_400;

/** Remembers a guest who is let in, where its method has it so; answers the cookie of its browser. */
export async function rememberGuest(
  app: App,
  tx: Tx,
  { door, state }: Standing,
  { slug, visitorId }: { slug: Provider['slug']; visitorId: string },
  from: From,
): Promise<Remembering | undefined> {
  const options = offeredMethods(door.portal, app.settings).find(it => it.slug === slug)?.options;
  if (!options || options.remember === 'off') return undefined;
  const locationId = door.location_id;
  const { mac } = state;
  const before = tokenHashOf(app, locationId, from);
  const [known] = await findRemembered(tx, { locationId, tokenHash: before, mac });
  // A browser that two people use, or that someone has slipped a cookie into, gets a new one.
  const same = known?.by_cookie && known.visitor_id === visitorId;
  const value = same ? tokenOf(app, locationId, from) : randomToken();
  await remember(tx, { id: newId(), locationId, visitorId, mac, tokenHash: hashOf(value), slug, before });
  return { name: cookieName(app, locationId), value, seconds: options.remember_days * daySeconds };
}
