import type { Binding, RouterWish } from '../driver.ts';
import type { Entry, Menus, Values } from './menus.ts';

const bindingMenu = 'ip/hotspot/ip-binding';
/** Marks what is ours, so that an operator's own entries stay untouched. */
const ours = { comment: 'portico' };

/** Makes a router be as wished. */
export function applyWish(menus: Menus, wish: RouterWish): Promise<void> {
  switch (wish.kind) {
    case 'bindings':
      return applyBindings(menus, wish);
    case 'hotspot':
      return applyHotspot(menus, wish.open);
    case 'logout':
      return removeAll(menus, 'ip/hotspot/active', { 'mac-address': wish.mac });
  }
}

/** A bypass lets nobody through while the hotspot is off. */
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

async function applyBindings(menus: Menus, wish: Extract<RouterWish, { kind: 'bindings' }>): Promise<void> {
  const { mac } = wish;
  const there = await menus.print(bindingMenu, { 'mac-address': mac, ...ours }, ['.id', 'type', 'address', 'disabled']);
  const wanted = wish.bindings.map(binding => valuesOf(binding, mac, wish.open));
  const same = there.length === wanted.length && wanted.every((values, i) => equal(there[i]!, values));
  if (!same) {
    // The first match counts, so the order must be right: all are made anew.
    for (const entry of there) await menus.remove(bindingMenu, entry['.id']!);
    for (const values of wanted) await menus.add(bindingMenu, values);
  }
  // A binding holds for a guest from its next packet as a new host.
  await removeAll(menus, 'ip/hotspot/active', { 'mac-address': mac });
  await removeAll(menus, 'ip/hotspot/host', { 'mac-address': mac });
}

/**
 * Off, nobody is online: who is signed in is put out (RADIUS refuses to let them in again) and bypasses do not hold. The
 * hotspot itself goes on, since without it RouterOS would let everybody through unasked.
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
  // A router that was set up by hand names its hotspot as it likes.
  await removeAll(menus, 'ip/hotspot/active', servers.length ? { server: 'portico' } : {});
}

async function removeAll(menus: Menus, menu: string, where: Values): Promise<void> {
  for (const entry of await menus.print(menu, where, ['.id'])) await menus.remove(menu, entry['.id']!);
}
