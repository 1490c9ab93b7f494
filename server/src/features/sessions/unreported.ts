import type { App } from '#lib/app.ts';
import { applyAccounting } from './sign-in.queries.ts';
import { listUnreported } from './unreported.queries.ts';

/** Sessions at devices that send no accounting (WatchGuard). Their name says when they end, as the device was told. */
const nameOf = (it: { class: string; ends: number }): string => `unreported-${it.ends}-${it.class.slice(0, 12)}`;

export interface Unreported {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly mac: string;
  readonly ip: string;
  /** Of the sign-in: it tells whose session this is. */
  readonly class: string;
  /** Seconds since 1970. */
  readonly ends: number;
}

/** Notes that such a session began. Told twice it is one. */
export async function openUnreported(app: App, it: Unreported): Promise<void> {
  const { tenantId: tenant, deviceId: device, mac, ip } = it;
  const named = { session: nameOf(it), class: it.class, user_name: '', mac, ip };
  const row = { tenant, device, ...named, status: 'start', at: new Date(), seconds: 0, upload: 0, download: 0 };
  await app.db.withSystem(tx => applyAccounting(tx, [row]));
}

/** Keeps such sessions open while they last, and closes them when they end. It does no harm when done twice. */
export async function keepUnreported(app: App): Promise<void> {
  await app.db.withSystem(async tx => {
    const rows = await listUnreported(tx);
    if (rows.length) await applyAccounting(tx, rows);
  });
}
