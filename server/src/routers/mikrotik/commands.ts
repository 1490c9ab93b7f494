import type { Binding, DeviceCommand } from '../router-control.ts';
import type { Entry, Menus, Values } from './menus.ts';

const bindingMenu = 'ip/hotspot/ip-binding';
/** Marks our entries, so that the operator's own stay untouched. */
const ours = { comment: 'portico' };

/** Brings a router into the state that a command describes. */
export function applyCommand(menus: Menus, command: DeviceCommand): Promise<void> {
  switch (command.kind) {
    case 'bindings':
      return applyBindings(menus, command);
    case 'hotspot':
      return applyHotspot(menus, command.open);
    case 'logout':
      return removeAll(menus, 'ip/hotspot/active', { 'mac-address': command.mac });
  }
}

/** A bypass is disabled while the hotspot is off. */
const valuesOf = ({ type, address }: Binding, mac: string, open: boolean): Values => ({
  'mac-address': mac,
  ...(address ? { address } : {}),
  type,
  disabled: type === 'bypassed' && !open ? 'true' : 'false',
  ...ours,
});

const equal = (entry: Entry, values: Values): boolean =>
  entry['type'] === values['type'] &&
  (entry['address'] ?? '') === (values['address'] ?? '') &&
  isOn(entry['disabled']) === isOn(values['disabled']);
const isOn = (value: string | undefined): boolean => value === 'true' || value === 'yes';

async function applyBindings(menus: Menus, command: Extract<DeviceCommand, { kind: 'bindings' }>): Promise<void> {
  const { mac } = command;
  const there = await menus.print(bindingMenu, { 'mac-address': mac, ...ours }, ['.id', 'type', 'address', 'disabled']);
  const wanted = command.bindings.map(binding => valuesOf(binding, mac, command.open));
  const same = there.length === wanted.length && wanted.every((values, i) => equal(there[i]!, values));
  if (!same) {
    // The first matching entry counts. To get the order right, all are created again.
    for (const entry of there) await menus.remove(bindingMenu, entry['.id']!);
    for (const values of wanted) await menus.add(bindingMenu, values);
  }
  // A binding takes effect when the router sees the guest as a new host.
  await removeAll(menus, 'ip/hotspot/active', { 'mac-address': mac });
  await removeAll(menus, 'ip/hotspot/host', { 'mac-address': mac });
}

/**
 * Switching off signs all guests out and disables the bypasses; RADIUS then refuses new sign-ins. The hotspot itself keeps
 * running, because without it RouterOS would let all guests through.
 */
async function applyHotspot(menus: Menus, open: boolean): Promise<void> {
  const bypasses = await menus.print(bindingMenu, { type: 'bypassed', ...ours }, ['.id', 'disabled', 'mac-address']);
  for (const entry of bypasses)
    if (isOn(entry['disabled']) === open)
      await menus.set(bindingMenu, entry['.id']!, { disabled: open ? 'false' : 'true' });
  if (open) return;
  for (const { 'mac-address': mac } of bypasses)
    if (mac) await removeAll(menus, 'ip/hotspot/host', { 'mac-address': mac });
  const servers = await menus.print('ip/hotspot', { name: 'portico' }, ['.id']);
  // A router that was set up by hand may use another name for its hotspot.
  await removeAll(menus, 'ip/hotspot/active', servers.length ? { server: 'portico' } : {});
}

async function removeAll(menus: Menus, menu: string, where: Values): Promise<void> {
  for (const entry of await menus.print(menu, where, ['.id'])) await menus.remove(menu, entry['.id']!);
}
