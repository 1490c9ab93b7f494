import type { DeviceSelectionResult } from '@portico/contract/device-selection.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import * as queries from './devices.queries.ts';
import { switchHotspot, trace, whyStopped } from './devices.service.ts';

type Call = Context & { actor: Actor };

/** All selected devices, locked, or a refusal: what is not found was deleted meanwhile, or is out of reach. */
async function select(tx: Tx, actor: Actor, ids: readonly string[]): Promise<queries.DeviceRow[]> {
  const wanted = [...new Set(ids)];
  if ((await queries.lockDevices(tx, actor.reach, wanted)).length !== wanted.length) throw invalid({ ids: 'unknown' });
  const devices: queries.DeviceRow[] = [];
  for (const id of wanted) devices.push(found(await queries.findDevice(tx, actor.reach, id)));
  return devices;
}

export const switchSelected = (
  { actor, inTenant }: Call,
  { ids, hotspot_status }: { ids: readonly string[]; hotspot_status: boolean },
): Promise<DeviceSelectionResult> =>
  inTenant(async tx => {
    const devices = await select(tx, actor, ids);
    const running = devices.filter(it => it.has_mikrolink_subscription);
    // For one device this is an error. It is one here only if it applies to all.
    if (!running.length) throw await whyStopped(tx, actor, devices[0]!);
    const changed = running.filter(it => it.hotspot_status !== hotspot_status);
    for (const device of changed) await switchHotspot(tx, actor, device, hotspot_status);
    return { changed: changed.length, skipped: devices.length - changed.length };
  });

export const deleteSelected = ({ actor, inTenant }: Call, ids: readonly string[]): Promise<DeviceSelectionResult> =>
  inTenant(async tx => {
    const devices = await select(tx, actor, ids);
    for (const device of devices) {
      foundAgain(await queries.deleteDevice(tx, device.id));
      await trace(tx, actor, 'delete', device);
    }
    return { changed: devices.length, skipped: 0 };
  });
