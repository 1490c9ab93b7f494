/** An entry of a RouterOS menu, with its `.id`. */
export type Entry = Record<string, string>;

/** An error message of RouterOS. */
export class Refusal extends Error {}

/** The guests of a router in its hotspot menus, where they can be listed and removed. */
export interface HotspotGuests {
  readonly list: () => readonly {
    readonly id: string;
    readonly mac: string;
    readonly ip: string;
    readonly user: string;
  }[];
  readonly end: (id: string) => void;
}

export interface Menus {
  readonly print: (menu: string, where: Entry) => Entry[];
  readonly add: (menu: string, values: Entry) => string;
  readonly set: (menu: string, id: string, values: Entry) => void;
  readonly remove: (menu: string, id: string) => void;
  /** Makes the next `add` fail with this message. */
  readonly refuseNext: (words: string) => void;
}

const bindings = 'ip/hotspot/ip-binding';
const known: Record<string, readonly string[]> = {
  [bindings]: ['mac-address', 'address', 'type', 'disabled', 'comment', 'server'],
};
const macForm = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/;

/** The menus of RouterOS that the product uses; all others answer `no such command`. */
export const openMenus = (it: { identity: () => string; version: string; guests: HotspotGuests }): Menus => {
  const table: Entry[] = [];
  let count = 0;
  let refusal: string | undefined;

  const entries = (menu: string): Entry[] => {
    switch (menu) {
      case bindings:
        return table;
      case 'ip/hotspot':
        return [{ '.id': '*1', name: 'portico', interface: 'portico', disabled: 'false' }];
      case 'ip/hotspot/active':
      case 'ip/hotspot/host':
        return it.guests.list().map(({ id, mac, ip, user }) => ({
          '.id': `*${id}`,
          server: 'portico',
          'mac-address': mac,
          address: ip,
          ...(menu.endsWith('active') ? { user } : { authorized: 'true' }),
        }));
      case 'system/identity':
        return [{ name: it.identity() }];
      case 'system/resource':
        return [{ version: it.version, 'board-name': 'simulated' }];
      default:
        throw new Refusal('no such command prefix');
    }
  };

  const check = (menu: string, values: Entry): void => {
    const names = known[menu];
    if (!names) throw new Refusal('no such command');
    const unknown = Object.keys(values).find(name => !names.includes(name));
    if (unknown) throw new Refusal(`unknown parameter ${unknown}`);
    const { 'mac-address': mac, type } = values;
    if (mac !== undefined && !macForm.test(mac))
      throw new Refusal('invalid value of mac-address, mac address required');
    if (type !== undefined && !['regular', 'bypassed', 'blocked'].includes(type))
      throw new Refusal('input does not match any value of type');
  };

  return {
    print: (menu, where) =>
      entries(menu).filter(entry => Object.entries(where).every(([name, value]) => (entry[name] ?? '') === value)),
    add: (menu, values) => {
      if (refusal !== undefined) {
        const words = refusal;
        refusal = undefined;
        throw new Refusal(words);
      }
      check(menu, values);
      count += 1;
      const id = `*${count.toString(16).toUpperCase()}`;
      table.push({ '.id': id, disabled: 'false', ...values });
      return id;
    },
    set: (menu, id, values) => {
      check(menu, values);
      const entry = entries(menu).find(one => one['.id'] === id);
      if (!entry) throw new Refusal('no such item');
      Object.assign(entry, values);
    },
    remove: (menu, id) => {
      const entry = entries(menu).find(one => one['.id'] === id);
      if (!entry) throw new Refusal('no such item');
      if (menu === bindings) table.splice(table.indexOf(entry), 1);
      else it.guests.end(id.slice(1));
    },
    refuseNext: words => {
      refusal = words;
    },
  };
};
