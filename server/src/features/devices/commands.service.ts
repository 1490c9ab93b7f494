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
  commands: readonly { key: string; action: CommandAction; command: DeviceCommand }[],
): Promise<void> {
  const [first] = commands;
  const router = first && (await queries.findRouter(tx, at.deviceId, first.command.kind));
  if (!router) return;
  await queries.insertCommands(
    tx,
    { ...at, locationId: router.location_id },
    commands.map(it => ({ id: newId(), ...it })),
  );
}

/**
 * Removes redundant rules: a block in all networks overrides bypass rules, and a rule for all networks includes rules for some.
 * Blocks come first.
 */
function plain(bindings: readonly Binding[]): Binding[] {
  const of = (type: Binding['type']) => {
    const these = bindings.filter(binding => binding.type === type);
    return these.some(binding => binding.address === null) ? [{ type, address: null }] : these;
  };
  const blocked = of('blocked');
  return blocked.some(binding => binding.address === null) ? blocked : [...blocked, ...of('bypassed')];
}

/** Sends the rules of these MACs to a device's router. Call it after a change of the rules, in the same transaction. */
export async function pushMacs(tx: Tx, at: At, macs: readonly string[]): Promise<void> {
  if (macs.length === 0) return;
  const rows = await queries.bindingsOf(tx, at.deviceId, [...new Set(macs)]);
  await write(
    tx,
    at,
    rows.map(({ mac, open, ...row }) => {
      const bindings = plain(row.bindings);
      const action = bindings[0]?.type === 'blocked' ? 'block' : bindings[0] ? 'bypass' : 'release';
      return { key: `mac ${mac}`, action, command: { kind: 'bindings', mac, bindings, open } } as const;
    }),
  );
}

/** Switches the hotspot of a device's router on or off. */
export const pushHotspot = (tx: Tx, at: At, open: boolean): Promise<void> =>
  write(tx, at, [{ key: 'hotspot', action: open ? 'hotspot-on' : 'hotspot-off', command: { kind: 'hotspot', open } }]);

/** Sends the complete state of a device to its router, for example after a reset. */
export async function pushAll(tx: Tx, at: At): Promise<void> {
  const { open, macs } = await queries.rulesOf(tx, at.deviceId);
  await pushMacs(tx, at, macs);
  if (!open) await pushHotspot(tx, at, false);
}

/** Signs a guest device out at its router. Returns false if the router cannot be reached. */
export async function pushLogout(tx: Tx, at: At, mac: string): Promise<boolean> {
  if (!(await queries.findRouter(tx, at.deviceId, 'logout'))?.reachable) return false;
  await write(tx, at, [{ key: `logout ${mac}`, action: 'logout', command: { kind: 'logout', mac } }]);
  return true;
}

export async function listCommands(tx: Tx, actor: Actor, deviceId: string, at: { page: number; per_page: number }) {
  found(await findPlace(tx, actor.reach, deviceId));
  return queries.listCommands(tx, deviceId, at);
}

/**
 * Sends a failed command again, unless a newer one replaced it or it is an old sign-out.
 */
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
