import { findDeviceByNas } from '#features/devices/public.ts';
import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { type DoorRow, findDoor } from './guests.queries.ts';

/** A guest's way in: found by the router's name, before any tenant is known. */
export interface Door extends DoorRow {
  readonly tenantId: string;
}

const keptMs = 60_000;
const most = 20_000;

/** Finds the door of a router. Which tenant a router belongs to never changes, so that is kept for a minute. */
export function createDoorFinder(app: App) {
  const kept = new Map<string, { id: string; tenantId: string; at: number }>();

  async function device(nas: string): Promise<{ id: string; tenantId: string } | undefined> {
    if (!/^[a-z0-9]{8,16}$/.test(nas)) return undefined;
    const hit = kept.get(nas);
    if (hit && Date.now() - hit.at < keptMs) return hit;
    const row = await app.db.withSystem(tx => findDeviceByNas(tx, nas));
    // Only what exists is kept, so that made-up names cannot fill the memory.
    if (!row) return undefined;
    if (kept.size >= most) kept.clear();
    kept.set(nas, { id: row.id, tenantId: row.tenant_id, at: Date.now() });
    return { id: row.id, tenantId: row.tenant_id };
  }

  return async (nas: string, guest: { mac: string; ip: string }): Promise<Door | undefined> => {
    const found = await device(nas);
    const row = found && (await app.db.readTenant(found.tenantId, tx => findDoor(tx, found.id, guest)));
    return row && { ...row, tenantId: found.tenantId };
  };
}

/** What the one authority says of a username at a door. `same`: it is a ticket, or an address, which proves itself and is used up. */
export async function askAuthority(
  app: App,
  door: Door,
  guest: { username: string; mac: string; ip: string; same?: boolean },
): Promise<SignInDecision & { visitorId: string | null }> {
  const request = {
    tenant: door.tenantId,
    device: door.device_id,
    user_name: guest.username,
    mac: guest.mac,
    ip: guest.ip,
    key: newId(),
    same: guest.same ?? false,
  };
  const [decision] = await app.db.withSystem(tx => decideSignIns(tx, [request]));
  const granting = decision!.granting as unknown as { visitor_id: string | null };
  return { ...decision!, visitorId: granting.visitor_id };
}
