import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { UnreportedGrant } from '#routers/driver.ts';
import type { GuestRequest } from '../guest-context.ts';
import { packGrant } from './unreported-grant.ts';

/** The path of the status page. The visit itself is in a cookie. `isNew`: the guest has just signed in. */
export const onlinePath = (nas: string, { isNew = false }: { readonly isNew?: boolean } = {}): string =>
  `/w/${nas}/online${isNew ? '?new=1' : ''}`;

/** The same as an absolute address, to which the router sends the guest after the sign-in. */
export function onlineUrl(app: App, { context, visit }: GuestRequest, grant?: UnreportedGrant): string {
  const page = `${captiveOrigin(app.settings, context.tenant_slug)}${onlinePath(visit.nas, { isNew: true })}`;
  return grant?.class ? `${page}&g=${packGrant(app, visit, { ...grant, class: grant.class })}` : page;
}
