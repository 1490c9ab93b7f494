import type { OnlineState } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { notFound } from '#http/app-error.ts';
import { isId } from '#lib/ids.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestServices } from '../guest-services.ts';
import { sessionByAddress } from './near-guest.service.ts';
import { findOnline, isOpen } from './online.queries.ts';
import { onlinePath } from './online-link.ts';
import { partsOf } from './online-view.ts';
import { sessionOf, visitOfBrowser } from './visit-cookie.ts';

/**
 * Tells an open status page whether the session goes on. Each open page asks for this every now and then, so it reads no more
 * than the session. `has`: what the page shows already; `of`: the session that it shows, see watchPath. Throws not_found if the
 * session is open, but the browser is no longer known: the page stays.
 */
export async function onlineState(
  { app, findContext }: GuestServices,
  nas: string,
  { has, of, language }: { readonly has: string; readonly of: string; readonly language: PortalLanguage },
  client: ClientInfo,
): Promise<OnlineState> {
  const open = visitOfBrowser(app, nas, client);
  const context = await findContext(nas, open?.visit ?? { mac: '', ip: '' });
  if (!context) throw notFound();
  const session = open
    ? await app.db.readTenant(context.tenantId, tx => findOnline(tx, context.device_id, sessionOf(context, open)))
    : await sessionByAddress(app, context, client);
  if (!session && isId(of) && (await app.db.readTenant(context.tenantId, tx => isOpen(tx, of)))) throw notFound();
  const page = `${onlinePath(nas)}?lang=${language}`;
  // Without the cookie only the page knows that there was a session.
  if (!session || session.paused) return { to: `${page}${open ? '' : '&over=1'}`, over: true };
  if (has !== partsOf(session)) return { to: `${page}&again=1`, over: false };
  return { seconds: session.seconds_left, bytesLeft: session.bytes_left, bytesUsed: session.bytes };
}
