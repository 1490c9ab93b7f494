import type { DeviceSelectionResult } from '@portico/contract/device-selection.ts';
import type { Tx } from '#db/tenant.ts';
import { disconnectGuests } from '#features/sessions/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import * as queries from './devices.queries.ts';
import { switchHotspots, trace, whyStopped } from './devices.service.ts';

type Call = Context & { actor: Actor };

/** All selected devices, or a refusal: a missing one was deleted meanwhile, or is out of reach. */
async function read(tx: Tx, actor: Actor, ids: readonly string[]): Promise<queries.DeviceRow[]> {
  const devices = await queries.readDevices(tx, actor.reach, ids);
  if (devices.length !== ids.length) throw invalid({ ids: 'selected_gone' });
  return devices;
}

export const switchSelected = (
  { actor, inTenant }: Call,
  { ids, hotspot_status }: { ids: readonly string[]; hotspot_status: boolean },
): Promise<DeviceSelectionResult> =>
  inTenant(async tx => {
    const wanted = [...new Set(ids)];
    await queries.lockDevices(tx, actor.reach, wanted, 'change');
    const devices = await read(tx, actor, wanted);
    const running = devices.filter(it => it.has_mikrolink_subscription);
    // For one device this is an error. It is one here only if it applies to all.
    if (!running.length) throw await whyStopped(tx, actor, devices[0]!);
    const changed = running.filter(it => it.hotspot_status !== hotspot_status);
    if (changed.length) await switchHotspots(tx, actor, changed, hotspot_status);
    return { changed: changed.length, skipped: devices.length - changed.length };
  });

export async function deleteSelected(call: Call, ids: readonly string[]): Promise<DeviceSelectionResult> {
  const { actor, inTenant } = call;
  const wanted = [...new Set(ids)];
  // Without locks, so that a caller cannot hold up the accounting of devices out of reach.
  await inTenant(tx => read(tx, actor, wanted));
  await disconnectGuests(call, actor, { deviceIds: wanted });
  return inTenant(async tx => {
    await read(tx, actor, wanted);
    await queries.lockRouters(tx, wanted);
    await queries.lockDevices(tx, actor.reach, wanted, 'delete');
    const devices = await read(tx, actor, wanted);
    if ((await queries.deleteDevices(tx, wanted)) !== wanted.length) throw invalid({ ids: 'selected_gone' });
    for (const device of devices) await trace(tx, actor, 'delete', device);
    return { changed: devices.length, skipped: 0 };
  });
}
