import type { Tx } from '#db/tenant.ts';
import type { Context } from '#http/call.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import type { SecurityChange } from '#mail/security-words.ts';
import { getAddress } from './auth.queries.ts';

/** Notifies users by mail of security changes of their account, so that they notice changes by others. */
export async function mailSecurityChange(
  tx: Tx,
  { app, tenant }: Pick<Context, 'app' | 'tenant'>,
  userId: string,
  it: { change: SecurityChange; detail?: string },
): Promise<void> {
  const { email, first_name, language } = await getAddress(tx, userId);
  const link = panelLink(app.settings, tenant.slug, '/auth/forgot-password');
  const data = { name: first_name, change: it.change, detail: it.detail ?? '', link };
  await queueMail(tx, app, { to: email, language, template: 'security_change', data });
}
