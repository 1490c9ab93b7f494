import type { App } from '#lib/app.ts';
import type { EndedByGateway, GatewayReport } from '#routers/driver.ts';
import { type AccountingRow, applyAccounting } from './sign-in.queries.ts';
import { acknowledgeEnds, findByKey, listOpenAt, listUnreported, type UnreportedRow } from './unreported.queries.ts';

/**
 * Sessions at devices without accounting (WatchGuard, openNDS). Their id contains the end that the device was sent, and a name:
 * the gateway's own, or the beginning of the class.
 */
const nameOf = ({ ends, key, class: named }: Pick<Unreported, 'ends' | 'key' | 'class'>): string =>
  `unreported-${ends}-${key ?? named?.slice(0, 12) ?? ''}`;

interface At {
  readonly tenantId: string;
  readonly deviceId: string;
}

export interface Unreported extends At {
  readonly mac: string;
  readonly ip: string;
  /** The class of the sign-in, which identifies the visitor; null: the device needs none. */
  readonly class: string | null;
  /** Seconds since 1970. */
  readonly ends: number;
  readonly key?: string | undefined;
}

/** Opens such a session. Calling it again has no effect. */
export async function openUnreported(app: App, it: Unreported): Promise<void> {
  const { tenantId: tenant, deviceId: device, mac, ip } = it;
  const named = { session: nameOf(it), class: it.class ?? undefined, user_name: '', mac, ip: ip || undefined };
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

type ReportedUse = Pick<AccountingRow, 'status' | 'upload' | 'download'> &
  Partial<Pick<AccountingRow, 'at' | 'seconds' | 'cause'>>;

const rowOf = ({ tenantId: tenant, deviceId: device }: At, it: UnreportedRow, told: ReportedUse): AccountingRow => ({
  ...{ tenant, device, session: it.session, class: it.class || undefined, user_name: it.user_name },
  ...{ mac: it.mac, ip: it.ip || undefined, at: new Date(), seconds: it.seconds },
  ...told,
});

/** A gateway ended one of its sessions. Only the gateway knows the name of it. */
export async function endUnreported(app: App, at: At, { key, mac, ...end }: EndedByGateway): Promise<void> {
  const [session] = await app.db.withTenant(at.tenantId, tx => findByKey(tx, at.deviceId, [key]));
  if (session?.mac !== mac) return;
  const { upload, download, cause } = end;
  const row = rowOf(at, session, { status: 'stop', upload, download, cause });
  await app.db.withSystem(tx => applyAccounting(tx, [row]));
}

/**
 * Compares what a gateway reports with our sessions: counts their use, and closes those that it does not have. Returns the guests
 * that it has and should not have.
 */
export async function judgeReported(app: App, at: At, guests: GatewayReport['guests']): Promise<string[]> {
  const inTenant = <T>(work: Parameters<typeof app.db.withTenant<T>>[1]) => app.db.withTenant(at.tenantId, work);
  const reported = new Map(guests.map(it => [it.key, it]));
  const open = await inTenant(tx => listOpenAt(tx, at.deviceId));
  const rows = open.flatMap(it => {
    const use = reported.get(it.key);
    if (use) return it.due ? rowOf(at, it, { status: 'interim', upload: use.upload, download: use.download }) : [];
    return it.settled ? rowOf(at, it, { status: 'stop', upload: it.upload, download: it.download }) : [];
  });
  const known = new Set(open.map(it => it.key));
  const others = [...reported.keys()].filter(key => !known.has(key));
  const closed = others.length > 0 ? await inTenant(tx => findByKey(tx, at.deviceId, others)) : [];
  for (const it of closed) {
    const use = reported.get(it.key)!;
    // Silence of ours or of the gateway is no end: it goes on.
    if (it.reason === 'stale')
      rows.push(rowOf(at, it, { status: 'interim', upload: use.upload, download: use.download }));
  }
  if (rows.length) await app.db.withSystem(tx => applyAccounting(tx, rows));
  const ending = open.filter(it => it.over && reported.has(it.key));
  if (ending.length)
    await inTenant(tx =>
      acknowledgeEnds(
        tx,
        ending.map(it => it.id),
      ),
    );
  const gone = closed.filter(it => it.reason !== null && it.reason !== 'stale');
  return [...ending, ...gone].map(it => it.mac);
}
