import { hasSerialNumber } from '@portico/contract/device-kinds.ts';
import { aruba } from './aruba/driver.ts';
import { cambium } from './cambium/driver.ts';
import { cisco } from './cisco/driver.ts';
import { coovachilli } from './coovachilli/driver.ts';
import type { HotspotDriver } from './driver.ts';
import { fortigate } from './fortigate/driver.ts';
import { meraki } from './meraki/driver.ts';
import { merakiClick } from './meraki-click/driver.ts';
import { mikrotik } from './mikrotik/driver.ts';
import { omada } from './omada/driver.ts';
import { opennds } from './opennds/driver.ts';
import { opnsense } from './opnsense/driver.ts';
import { pfsense } from './pfsense/driver.ts';
import { ruckus } from './ruckus/driver.ts';
import { sophos } from './sophos/driver.ts';
import { uam } from './uam/driver.ts';
import { unifi } from './unifi/driver.ts';
import { uspot } from './uspot/driver.ts';
import { watchguard } from './watchguard/driver.ts';

/** All supported brands. Log lines of unknown origin are tried in this order. */
export const drivers: readonly HotspotDriver[] = [
  ...[mikrotik, sophos, watchguard],
  ...[coovachilli, opennds, uspot, uam],
  ...[aruba, cambium, cisco, fortigate, meraki, merakiClick, omada, opnsense, pfsense, ruckus, unifi],
];

const bySlug = new Map(drivers.map(driver => [driver.slug, driver]));

export const findDriver = (slug: string): HotspotDriver | undefined => bySlug.get(slug);

/** The driver of a brand. */
export function driverOf(slug: string): HotspotDriver {
  const driver = bySlug.get(slug);
  if (!driver) throw new Error(`no driver for the brand ${slug}`);
  return driver;
}

/** The brand of a gateway by the NAS-Identifier that it sends: one that the brand sends by default, or one with its name. */
export function brandByName(nasIdentifier: string): string | undefined {
  const words = new Set(nasIdentifier.toLowerCase().split(/[^a-z]+/));
  return drivers.find(({ slug, calledByDefault }) => calledByDefault?.test(nasIdentifier) || words.has(slug))?.slug;
}

/** Brands whose devices are identified by a serial number instead of a MAC. */
export const serialNumberBrands: readonly string[] = drivers.map(({ slug }) => slug).filter(hasSerialNumber);

/** The path of the portal address that a device of this brand sends its guests to. */
export const portalPath = (slug: string, nasIdentifier: string): string =>
  driverOf(slug).sharedEntry?.path ?? `/w/${nasIdentifier}`;

/** Whether gateways of a brand take Disconnect- and CoA-Requests. */
export const takesCommands = ({ speaksRadius, takesNoCommands }: HotspotDriver): boolean =>
  speaksRadius && !takesNoCommands;

/** The slugs of the brands with a property, as a parameter for SQL. */
export const brandsWith = (has: (driver: HotspotDriver) => boolean): string[] =>
  drivers.filter(has).map(driver => driver.slug);
