import { authApi } from '@portico/contract/auth.ts';
import { devicesApi } from '@portico/contract/devices.ts';
import { visitorsApi } from '@portico/contract/visitors.ts';
import type { VenueOptions } from './venue.ts';

export interface PanelAccess {
  /** The panel's origin, such as http://localhost:8080. */
  readonly url: string;
  readonly tenant?: string | undefined;
  readonly email: string;
  readonly password: string;
  /** Maximum number of visitors to read. */
  readonly maxVisitors: number;
}

interface Row {
  readonly id: string;
  readonly location_id: string | null;
}

/**
 * Reads the MikroTik devices with their secrets, and visitors with their passwords, through the panel's API: the user
 * must be allowed to update both. Throws an Error with the panel's answer.
 */
export const readFromPanel = async (access: PanelAccess): Promise<Pick<VenueOptions, 'routers' | 'visitors'>> => {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (access.tenant) headers['x-tenant'] = access.tenant;

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(new URL(path, access.url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${(answer as { message?: string }).message ?? ''}`);
    return answer as T;
  };
  /** The script that an operator would paste into the router. */
  const scriptOf = async (id: string): Promise<string | undefined> => {
    const { method, path } = devicesApi.setup.mikrotikScript;
    const form = {
      gateway_interface: 'ether1',
      gateway_ip: '192.168.88.2',
      hotspot_address: '10.5.50.1',
      hotspot_subnet: '10.5.50.0/24',
      guestInterfaces: ['ether2'],
    };
    const response = await fetch(new URL(path.replace(':id', id), access.url), {
      method,
      headers,
      body: JSON.stringify(form),
    });
    return response.ok ? response.text() : undefined;
  };
  const one = <T>(path: string, id: string) => call<{ data: T }>('GET', path.replace(':id', id));
  const list = (path: string, most: number) => call<{ data: Row[] }>('GET', `${path}?per_page=${most}`);

  const { email, password } = access;
  const signedIn = await call<{ data: { token: string } }>(authApi.login.method, authApi.login.path, {
    email,
    password,
  });
  headers.authorization = `Bearer ${signedIn.data.token}`;
  try {
    const routers: VenueOptions['routers'][number][] = [];
    for (const row of (await list(devicesApi.list.path, 1000)).data) {
      const { data: device } = await one<DevicePart>(devicesApi.get.path, row.id);
      if (device.brand.slug !== 'mikrotik' || !device.secret) continue;
      routers.push({
        nasIdentifier: device.nas_identifier,
        secret: device.secret,
        location: device.location_id,
        captiveUrl: new URL(device.portal_url).origin,
        radius: { host: device.radius.host, authPort: device.radius.auth_port, acctPort: device.radius.acct_port },
        management: { script: await scriptOf(row.id), pollEverySeconds: pollSeconds },
        ...hotspotPlace(device.hotspot_address),
      });
    }
    const visitors: VenueOptions['visitors'][number][] = [];
    for (const row of (await list(visitorsApi.list.path, Math.min(1000, access.maxVisitors))).data) {
      const { data: visitor } = await one<VisitorPart>(visitorsApi.get.path, row.id);
      if (!visitor.username || !visitor.password) continue;
      visitors.push({
        username: visitor.username,
        password: visitor.password,
        location: visitor.location_id ?? undefined,
      });
    }
    return { routers, visitors };
  } finally {
    await call(authApi.logout.method, authApi.logout.path).catch(() => undefined);
  }
};

/** A real router polls every minute; the demo polls more often so that changes show sooner. */
const pollSeconds = 5;

interface DevicePart {
  readonly nas_identifier: string;
  readonly secret?: string;
  readonly location_id: string;
  readonly portal_url: string;
  readonly hotspot_address: string | null;
  readonly brand: { readonly slug: string };
  readonly radius: { readonly host: string; readonly auth_port: number; readonly acct_port: number };
}

interface VisitorPart {
  readonly username: string | null;
  readonly password?: string | null;
  readonly location_id: string | null;
}

/** The portal sends guests back only to the device's own hotspot address, so the pages must be there. */
const hotspotPlace = (hotspotAddress: string | null) => {
  const found = /^(127\.\d+\.\d+\.\d+)(?::(\d+))?$/.exec(hotspotAddress ?? '');
  return found ? { address: found[1], httpPort: Number(found[2] ?? 0) } : {};
};
