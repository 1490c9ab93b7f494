import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '#db/tenant.ts';
import { changeStays, endStays } from '#features/sessions/public.ts';
import { applyStays, type Stay } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { askLinksOf, hasUnread } from '../hotel/hotel-links.queries.ts';
import { claimOfLocation, type DueRead, isBeingRead, markEnded } from '../integrations.queries.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { isSuspiciouslyEmpty } from './empty.ts';
import { readTable } from './read.ts';
import { stayOf } from './stays.ts';

const maxGuests = 20_000;
/** Reads a hotel's table and adds guests, changes their rooms and ends their stays. Never rejects. */
export async function readHotel(app: App, it: DueRead): Promise<void> {
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => app.db.withTenant(it.tenant_id, work);
  try {
    const columns = [...new Set(Object.values(it.fields).filter((column): column is string => !!column))];
    const table = await readTable(app, JSON.parse(app.secrets.decrypt(it.connection)), columns, maxGuests + 1);
    if (table.rows.length > maxGuests) throw new IntegrationError('too_many_rows');
    const all = table.rows.flatMap(row => stayOf(app, it.fields, row as Record<string, string | null>));
    // A guest with several rows (a second room, a second service) is one guest.
    const stays = [...new Map(all.map(stay => [stay.external_id, stay])).values()];
    await inTenant(async tx => {
      await apply(tx, it, stays);
      await reportRecovery(tx, it);
      await markEnded(tx, it);
    });
  } catch (error) {
    await inTenant(async tx => {
      await reportFailure(tx, it, problemOf(error));
      await markEnded(tx, it);
    });
  }
}

async function apply(tx: Tx, it: DueRead, stays: readonly Stay[]): Promise<void> {
  if (await isSuspiciouslyEmpty(tx, it, stays.length)) return;
  const report = { integrationId: it.id, locationId: it.location_id, zone: it.time_zone, isComplete: true };
  const changed = await applyStays(tx, report, stays);
  await endStays(tx, it.id);
  await changeStays(tx, changed);
}

const minIntervalSeconds = 20;
/** Limited, because a guest waits for the sign-in page. */
const maxWaitMs = 6000;

/**
 * Reads the hotel tables of a location now, for a guest who may have arrived since the last read. A read that has begun is not
 * begun again: the guest waits for that one, though another process may have begun it. A slow read continues in the background.
 * A system in the cloud is read by the process that holds its link.
 */
export async function readNow(app: App, at: { tenantId: string; locationId: string }): Promise<void> {
  const { due, isRead } = await app.db.withTenant(at.tenantId, async tx => {
    const isAsked = await askLinksOf(tx, at.locationId);
    // The claim waits for one that another process makes at this moment, so the reads of others are looked up after it.
    const due = await claimOfLocation(tx, at.locationId, minIntervalSeconds);
    return { due, isRead: isAsked || (await isBeingRead(tx, at.locationId, due)) };
  });
  if (!due.length && !isRead) return;
  const timeout = new AbortController();
  await Promise.race([
    Promise.all([...due.map(it => readHotel(app, it)), isRead && readsEnd(app, at)]),
    sleep(maxWaitMs, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
}

const lookEveryMs = 500;

/** Waits until the reads that others have begun have ended, but not for long. */
async function readsEnd(app: App, { tenantId, locationId }: { tenantId: string; locationId: string }): Promise<void> {
  for (const until = steadyNow() + maxWaitMs; steadyNow() < until; ) {
    await sleep(lookEveryMs);
    const isRead = await app.db.withTenant(
      tenantId,
      async tx => (await hasUnread(tx, locationId)) || (await isBeingRead(tx, locationId)),
    );
    if (!isRead) return;
  }
}
