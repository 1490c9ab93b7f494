import { attribute, code } from '@portico/radius/attributes.ts';
import { type Packet, readOctets } from '@portico/radius/packet.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from '@portico/radius/verify.ts';
import type { RadiusDevice, RadiusHandlers, RadiusProxy } from './types.ts';

export interface ProxyDirectory {
  /** The proxies of all tenants at this address. */
  readonly at: (address: string) => readonly RadiusProxy[];
  /** Reads the proxies again. If that fails, the former list stays. */
  readonly reload: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Any tenant may enter an address, so only some proxies of different tenants are tried for a packet that names no known
 * device.
 */
const maxPerAddress = 32;
const reloadMs = 30_000;

/** All proxies, in memory: there are few, and a look-up per packet would cost more. */
export async function createProxyDirectory(
  handlers: Pick<RadiusHandlers, 'listProxies' | 'failed'>,
): Promise<ProxyDirectory> {
  let byAddress = new Map<string, RadiusProxy[]>();
  const reload = async (): Promise<void> => {
    try {
      byAddress = Map.groupBy(await handlers.listProxies(), proxy => proxy.address ?? '');
    } catch (error) {
      handlers.failed('listProxies', error);
    }
  };
  await reload();
  const timer = setInterval(() => void reload(), reloadMs);
  timer.unref();
  return { at: address => byAddress.get(address) ?? [], reload, close: () => clearInterval(timer) };
}

/** Whether a proxy forwarded this packet. It needs the proxy's secret, so a device may share the address with a proxy. */
export function isForwardedBy(packet: Packet, proxy: RadiusProxy): boolean {
  if (packet.code === code['Accounting-Request']) return isRequestAuthentic(packet, proxy.secret);
  const verdict = checkMessageAuthenticator(packet, proxy.secret);
  // Without Message-Authenticator nothing but the hidden password depends on the secret. Only proxies add Proxy-State.
  return verdict === 'absent' ? readOctets(packet, attribute['Proxy-State']) !== undefined : verdict === 'valid';
}

/** The proxy among those at an address that proves to have sent this packet, such as a status check. */
export const senderAmong = (packet: Packet, proxies: readonly RadiusProxy[]): RadiusProxy | undefined =>
  proxies
    .slice(0, maxPerAddress)
    .find(it =>
      packet.code === code['Accounting-Request']
        ? isRequestAuthentic(packet, it.secret)
        : checkMessageAuthenticator(packet, it.secret) === 'valid',
    );

export const maySpeakFor = (proxy: RadiusProxy, device: RadiusDevice): boolean =>
  proxy.tenantId === device.tenantId &&
  (proxy.locations.size === 0 || (device.locationId !== undefined && proxy.locations.has(device.locationId)));

/** The device of a forwarded request, with the proxy's secret. */
export const forwarded = (device: RadiusDevice, proxy: RadiusProxy): RadiusDevice => ({
  id: device.id,
  tenantId: device.tenantId,
  locationId: device.locationId,
  secret: proxy.secret,
  requireMessageAuthenticator: proxy.requireMessageAuthenticator,
  proxy,
});

/** The proxy itself as the sender of a status check, which names no device. */
export const asSender = (proxy: RadiusProxy): RadiusDevice => ({
  id: proxy.id,
  tenantId: proxy.tenantId,
  secret: proxy.secret,
  requireMessageAuthenticator: true,
  proxy,
});
