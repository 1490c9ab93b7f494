import type { ClientInfo } from '../client-info.ts';
import type { GuestServices } from '../guest-services.ts';
import { findOnline } from './online.queries.ts';
import { sessionOf, visitOfBrowser } from './visit-cookie.ts';

/** Whether the session of this browser's visit runs. */
export async function isOnline({ app, findContext }: GuestServices, nas: string, client: ClientInfo): Promise<boolean> {
  const open = visitOfBrowser(app, nas, client);
  const context = open && (await findContext(nas, open.visit));
  if (!context) return false;
  const session = await app.db.readTenant(context.tenantId, tx =>
    findOnline(tx, context.device_id, sessionOf(context, open)),
  );
  return session !== undefined;
}
