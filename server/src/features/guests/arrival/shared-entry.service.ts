import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import { findDeviceAtHost, findDeviceBySerial } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import type { HotspotDriver, SharedEntry } from '#routers/driver.ts';
import { textQuery } from './read-arrival.ts';

/** The arrival of a guest at the address that a brand's gateways share. `nas` names the device, if it is one of ours. */
export async function readSharedEntry(
  app: App,
  { slug: brand }: HotspotDriver,
  entry: SharedEntry,
  query: unknown,
  hostname: string,
): Promise<{ nas: string | undefined; arrival: GuestArrival; failed: boolean }> {
  const { serialNumber, arrival, failed } = entry.read(textQuery(query));
  const slug = tenantSlugOf(app, hostname);
  const device = serialNumber && (await app.db.withSystem(tx => findDeviceBySerial(tx, { serialNumber, brand, slug })));
  return { nas: device ? device.nas_identifier : undefined, arrival: guestArrival.parse(arrival), failed };
}

/** The device of a guest who came to the portal's host alone; empty if it cannot be told. */
export async function nasAtHost(
  app: App,
  { slug: brand }: HotspotDriver,
  address: string,
  hostname: string,
): Promise<string> {
  const slug = tenantSlugOf(app, hostname);
  const device = await app.db.withSystem(tx => findDeviceAtHost(tx, { address, brand, slug }));
  return device?.nas_identifier ?? '';
}

/** The slug in the portal's host name, for installations where each tenant has a host name. */
function tenantSlugOf({ settings }: App, hostname: string): string {
  const [before, after] = settings.CAPTIVE_URL.split('{tenant}');
  if (after === undefined) return '';
  const [prefix, suffix] = [before!.replace(/^https?:\/\//, ''), after.replace(/[:/].*$/s, '')];
  const matches = hostname.startsWith(prefix) && hostname.endsWith(suffix);
  return matches ? hostname.slice(prefix.length, hostname.length - suffix.length) : '';
}
