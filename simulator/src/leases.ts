import type { GuestDevice } from './session.ts';
import { type LogTopic, logMessage } from './syslog.ts';

/** The router's DHCP server: one pool that begins at `network`.2 and goes on into the following octets. */
export const createLeases = (network: string, log: (topic: LogTopic, message: string) => void) => {
  const byMac = new Map<string, GuestDevice>();
  const taken = new Set<string>();
  const [a, b, c] = network.split('.').map(Number) as [number, number, number];
  let next = 0;

  const freeIp = (): string => {
    for (let tried = 0; tried < 60_000; tried += 1) {
      next = (next + 1) % 60_000;
      const ip = `${a}.${b}.${(c + Math.floor(next / 253)) % 256}.${(next % 253) + 2}`;
      if (!taken.has(ip)) return ip;
    }
    throw new RangeError('no address left');
  };

  /** The same MAC keeps its address until it is released. */
  const lease = ({ mac, name = '' }: { readonly mac: string; readonly name?: string }): GuestDevice => {
    const known = byMac.get(mac);
    if (known) return known;
    const device = { mac, name, ip: freeIp() };
    byMac.set(mac, device);
    taken.add(device.ip);
    log('dhcp', logMessage.assigned(device));
    return device;
  };

  const release = (device: GuestDevice): void => {
    const known = byMac.get(device.mac);
    if (!known) return;
    byMac.delete(device.mac);
    taken.delete(known.ip);
    log('dhcp', logMessage.deassigned(known));
  };

  const clear = (): void => {
    byMac.clear();
    taken.clear();
  };

  return { lease, release, clear };
};
