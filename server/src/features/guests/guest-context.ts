import type { App } from '#lib/app.ts';
import type { HotspotDriver, ReadSecret } from '#routers/driver.ts';
import type { ContextRow, PortalRow } from './guest-context.queries.ts';
import type { Visit } from './guest-state.ts';

/** The device that a guest came through, its current state, and the portal to show. */
export interface GuestContext extends Omit<ContextRow, 'n' | 'brand' | 'portal_id' | 'portal_revision' | 'available'> {
  readonly tenantId: string;
  readonly driver: HotspotDriver;
  readonly portal: PortalRow | null;
}

/** A guest at a portal where it may sign in. */
export interface GuestRequest {
  readonly context: GuestContext & { readonly portal: PortalRow };
  /** The checked return address. */
  readonly login: URL;
  readonly visit: Visit;
}

export const secretReader =
  ({ secrets }: App, { secret }: GuestContext): ReadSecret =>
  () =>
    secret === null ? undefined : secrets.read(secret);
