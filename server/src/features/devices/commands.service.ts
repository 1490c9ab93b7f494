import type { CommandAction, RouterCommand } from '@portico/contract/router-control.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import type { Binding, DeviceCommand } from '#routers/router-control.ts';
import * as queries from './commands.queries.ts';
import { findPlace } from './devices.queries.ts';

interface At {
  readonly deviceId: string;
  readonly userId: string | null;
}

async function write(
  tx: Tx,
  at: At,
  wishes: readonly { key: string; action: CommandAction; wish: DeviceCommand }[],
): Promise<void> {
  const router = wishes.length ? await queries.findRouter(tx, at.deviceId) : undefined;
  if (!router) return;
  await queries.insertCommands(
    tx,
    { ...at, locationId: router.location_id },
    wishes.map(it => ({ id: newId(), ...it })),
  );
}

/** Blocked everywhere leaves nothing to bypass; what holds everywhere needs no part of it said. Blocked comes first: it wins. */
function plain(bindings: readonly Binding[]): Binding[] {
  const of = (type: Binding['type']) => {
    const these = bindings.filter(binding => binding.type === type);
    return these.some(binding => binding.address === null) ? [{ type, address: null }] : these;
  };
  const blocked = of('blocked');
  return blocked.some(binding => binding.address === null) ? blocked : [...blocked, ...of('bypassed')];
}

/** Tells a device's router what holds for these MACs now. Call it after the rules were changed, in the same transaction. */
export async function pushMacs(tx: Tx, at: At, macs: readonly string[]): Promise<void> {
  if (macs.length === 0) return;
  const rows = await queries.bindingsOf(tx, at.deviceId, [...new Set(macs)]);
  await write(
    tx,
    at,
    rows.map(({ mac, open, ...row }) => {
      const bindings = plain(row.bindings);
      const action = bindings[0]?.type === 'blocked' ? 'block' : bindings[0] ? 'bypass' : 'release';
      return { key: `mac ${mac}`, action, wish: { kind: 'bindings', mac, bindings, open } } as const;
    }),
  );
}

/** Tells a device's router that its hotspot is on or off. */
export const pushHotspot = (tx: Tx, at: At, open: boolean): Promise<void> =>
  write(tx, at, [{ key: 'hotspot', action: open ? 'hotspot-on' : 'hotspot-off', wish: { kind: 'hotspot', open } }]);

/** Tells a router that may know nothing yet all that holds at its device. */
export async function pushAll(tx: Tx, at: At): Promise<void> {
  const { open, macs } = await queries.rulesOf(tx, at.deviceId);
  await pushMacs(tx, at, macs);
  if (!open) await pushHotspot(tx, at, false);
}

/** Tells a device's router to sign a guest device out, where there is a way to the router; answers whether there is. */
export async function pushLogout(tx: Tx, at: At, mac: string): Promise<boolean> {
  if (!(await queries.findRouter(tx, at.deviceId))?.reachable) return false;
  await write(tx, at, [{ key: `logout ${mac}`, action: 'logout', wish: { kind: 'logout', mac } }]);
  return true;
}

export async function listCommands(tx: Tx, actor: Actor, deviceId: string, at: { page: number; per_page: number }) {
  found(await findPlace(tx, actor.reach, deviceId));
  return queries.listCommands(tx, deviceId, at);
}

/** Once more from the start. A wish that a newer one overtook, or a sign-out whose time has passed, is not sent again. */
export async function retryCommand(
  tx: Tx,
  actor: Actor,
  at: { id: string; commandId: string },
): Promise<RouterCommand> {
  found(await findPlace(tx, actor.reach, at.id));
  const command = found(await queries.findCommand(tx, at.id, at.commandId));
  if (command.state === 'sent') return command;
  const [again] = await queries.requeue(tx, at.id, at.commandId);
  if (!again) throw new AppError('conflict');
  return again;
}
