import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { App } from '#lib/app.ts';
import type { From } from '../client-info.ts';
import { findNamed } from './anonymous-device.queries.ts';
import type { Remembering, Standing } from './check-arrival.ts';

/**
 * A Sophos does not tell whose device a guest comes from; the browser gets an address in its place, sealed so that nobody takes
 * another's. Which device it is in truth, the firewall's RADIUS requests tell when a ticket is used, and it is known by that from then on.
 */

const cookie = 'portico_device';
const keptSeconds = 365 * 86_400;

const seal = ({ secrets }: App, digits: string): string => secrets.sign(`device of a browser ${digits}`).slice(0, 32);

/** The address that this browser was given before, if we gave it. */
function knownDigits(app: App, { cookies }: From): string | undefined {
  const [, digits = '', sealed = ''] =
    /(?:^|;\s*)portico_device=([0-9a-f]{12})\.([0-9a-f]{32})(?:;|$)/.exec(cookies) ?? [];
  return digits && timingSafeEqual(Buffer.from(sealed), Buffer.from(seal(app, digits))) ? digits : undefined;
}

/** Of a group, and made up (IEEE 802): no device has such an address of its own, so it can't be another's. */
function newDigits(): string {
  const bytes = randomBytes(6);
  bytes[0] = bytes[0]! | 0x03;
  return bytes.toString('hex');
}

const asMac = (digits: string): string => digits.toUpperCase().match(/../g)!.join(':');

/** Whether an address is one that stands for a device which is not known yet. */
export const isStandIn = (mac: string): boolean => /^.[37BF]:/i.test(mac);

/** What stands for the device of a guest whose router does not tell it. */
export function standInOf(app: App, { door, state }: Standing, from: From): string | null {
  if (door.brand !== 'sophos') return null;
  if (isStandIn(state.mac)) return state.mac;
  const digits = knownDigits(app, from);
  return digits ? asMac(digits) : null;
}

/** The guest's standing with the address of its device, or with what stands for it. */
export async function nameDevice(
  app: App,
  at: Standing,
  from: From,
): Promise<{ at: Standing; remembering?: Remembering }> {
  const { door } = at;
  if (door.brand !== 'sophos') return { at };
  const digits = knownDigits(app, from);
  const given = digits ?? newDigits();
  const standsFor = asMac(given);
  const named = digits && (await app.db.withTenant(door.tenantId, tx => findNamed(tx, door.device_id, standsFor)));
  return {
    at: { ...at, door: { ...door, bypassed: false }, state: { ...at.state, mac: named ? named.mac : standsFor } },
    remembering: { name: cookie, value: `${given}.${seal(app, given)}`, seconds: keptSeconds },
  };
}
