import { findDeviceByNas } from '#features/devices/public.ts';
import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { createBatcher } from '#radius/batcher.ts';
import {
  type AskedDoor,
  type DoorRow,
  type DoorState,
  findContent,
  findDoors,
  type PortalRow,
} from './guest-context.queries.ts';

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

  const lookUp = createLookUp(app);
  const contentOf = createContents(app);

  return async (nas: string, guest: { mac: string; ip: string }): Promise<Door | undefined> => {
    const found = await device(nas);
    const state = found && (await lookUp(found.tenantId, { deviceId: found.id, mac: guest.mac, ip: guest.ip }));
    if (!state) return undefined;
    const { n: _, portal_id, portal_revision, available, ...door } = state;
    const content = portal_id && (await contentOf(found.tenantId, portal_id, portal_revision!));
    return { ...door, tenantId: found.tenantId, portal: content ? { ...content, available: available ?? [] } : null };
  };
}

interface Waiting {
  readonly asked: AskedDoor;
  readonly resolve: (state: DoorState | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Guests of a tenant who come while others are being looked up are looked up together: a rush costs few queries. */
function createLookUp(app: App) {
  const ask = async (tenantId: string, batch: readonly Waiting[]): Promise<void> => {
    try {
      const states = await app.db.readTenant(tenantId, tx =>
        findDoors(
          tx,
          batch.map(it => it.asked),
        ),
      );
      const byPlace = new Map(states.map(it => [it.n, it]));
      for (const [i, it] of batch.entries()) it.resolve(byPlace.get(i + 1));
    } catch (error) {
      // What one of them sent is not the others' trouble.
      if (batch.length === 1) batch[0]!.reject(error);
      else await Promise.all(batch.map(it => ask(tenantId, [it])));
    }
  };
  const batchers = new Map<string, ReturnType<typeof createBatcher<Waiting>>>();
  return (tenantId: string, asked: AskedDoor): Promise<DoorState | undefined> => {
    let batcher = batchers.get(tenantId);
    if (!batcher) {
      const run = (batch: readonly Waiting[]) => ask(tenantId, batch);
      batcher = createBatcher<Waiting>({ size: 50, waitMs: 2, inFlight: 2, capacity: Infinity, run });
      batchers.set(tenantId, batcher);
    }
    const { add } = batcher;
    return new Promise((resolve, reject) => add({ asked, resolve, reject }));
  };
}

const mostContents = 1000;

/** The contents of portals, kept under their revisions: what the database says is in force is what guests see. */
function createContents(app: App) {
  const kept = new Map<string, PortalRow>();
  return async (tenantId: string, portalId: string, revision: string): Promise<PortalRow | undefined> => {
    const hit = kept.get(portalId);
    if (hit?.revision === revision) return hit;
    const found = await app.db.readTenant(tenantId, tx => findContent(tx, portalId));
    kept.delete(portalId);
    if (!found) return undefined;
    const content = { ...found.portal, revision: found.revision };
    if (kept.size >= mostContents) kept.delete(kept.keys().next().value!);
    kept.set(portalId, content);
    return content;
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
