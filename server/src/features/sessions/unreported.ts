import type { App } from '#lib/app.ts';
import { applyAccounting } from './sign-in.queries.ts';
import { listUnreported } from './unreported.queries.ts';

/** Sessions at devices without accounting (WatchGuard). Their id contains the end that the device was sent. */
const nameOf = (it: { class: string; ends: number }): string => `unreported-${it.ends}-${it.class.slice(0, 12)}`;

export interface Unreported {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly mac: string;
  readonly ip: string;
  /** The class of the sign-in, which identifies the visitor. */
  readonly class: string;
  /** Seconds since 1970. */
  readonly ends: number;
}

/** Opens such a session. Calling it again has no effect. */
export async function openUnreported(app: App, it: Unreported): Promise<void> {
  const { tenantId: tenant, deviceId: device, mac, ip } = it;
  const named = { session: nameOf(it), class: it.class, user_name: '', mac, ip };
  const row = { tenant, device, ...named, status: 'start', at: new Date(), seconds: 0, upload: 0, download: 0 };
  await app.db.withSystem(tx => applyAccounting(tx, [row]));
}

/** Keeps such sessions open until their end and then closes them. Idempotent. */
export async function keepUnreported(app: App): Promise<void> {
  await app.db.withSystem(async tx => {
    const rows = await listUnreported(tx);
    if (rows.length) await applyAccounting(tx, rows);
  });
}
