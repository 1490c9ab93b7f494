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

interface Wanted {
  readonly device: string;
  readonly key: string;
  readonly action: CommandAction;
  readonly command: DeviceCommand;
}

/** Queues commands of one kind for those of the routers that take them. */
async function write(tx: Tx, userId: string | null, commands: readonly Wanted[]): Promise<void> {
  const [first] = commands;
  if (!first) return;
  const devices = [...new Set(commands.map(it => it.device))];
  const taking = new Set((await queries.findRouters(tx, devices, first.command.kind)).map(it => it.id));
  const taken = commands.filter(it => taking.has(it.device));
  if (!taken.length) return;
  await queries.insertCommands(
    tx,
    userId,
    taken.map(it => ({ id: newId(), ...it })),
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
    at.userId,
    rows.map(({ mac, open, ...row }) => {
      const bindings = plain(row.bindings);
      const action = bindings[0]?.type === 'blocked' ? 'block' : bindings[0] ? 'bypass' : 'release';
      const command = { kind: 'bindings', mac, bindings, open } as const;
      return { device: at.deviceId, key: `mac ${mac}`, action, command };
    }),
  );
}

/** Switches the hotspots of devices' routers on or off. */
export const pushHotspots = (
  tx: Tx,
  at: { deviceIds: readonly string[]; userId: string | null },
  open: boolean,
): Promise<void> =>
  write(
    tx,
    at.userId,
    at.deviceIds.map(device => ({
      device,
      key: 'hotspot',
      action: open ? 'hotspot-on' : 'hotspot-off',
      command: { kind: 'hotspot', open },
    })),
  );

/** Sends the complete state of a device to its router, for example after a reset. */
export async function pushAll(tx: Tx, at: At): Promise<void> {
  const { open, macs } = await queries.rulesOf(tx, at.deviceId);
  await pushMacs(tx, at, macs);
  if (!open) await pushHotspots(tx, { ...at, deviceIds: [at.deviceId] }, false);
}

/** Signs a guest device out at its router. Returns false if the router cannot be reached. */
export async function pushLogout(tx: Tx, at: At, mac: string): Promise<boolean> {
  const [router] = await queries.findRouters(tx, [at.deviceId], 'logout');
  if (!router?.reachable) return false;
  const command = { kind: 'logout', mac } as const;
  await write(tx, at.userId, [{ device: at.deviceId, key: `logout ${mac}`, action: 'logout', command }]);
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
