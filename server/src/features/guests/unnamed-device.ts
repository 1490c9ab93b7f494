import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { App } from '#lib/app.ts';
import type { Remembering, Standing } from './approach.ts';
import type { From } from './from.ts';

const cookie = 'portico_device';
const keptSeconds = 365 * 86_400;

const seal = ({ secrets }: App, digits: string): string => secrets.sign(`made-up device ${digits}`).slice(0, 32);

/** The address that this browser was given before, if we gave it. */
function knownDigits(app: App, { cookies }: From): string | undefined {
  const [, digits = '', sealed = ''] =
    /(?:^|;\s*)portico_device=([0-9a-f]{12})\.([0-9a-f]{32})(?:;|$)/.exec(cookies) ?? [];
  return digits && timingSafeEqual(Buffer.from(sealed), Buffer.from(seal(app, digits))) ? digits : undefined;
}

/** Of the range that devices make up for themselves. */
function newDigits(): string {
  const bytes = randomBytes(6);
  bytes[0] = (bytes[0]! & 0xfc) | 0x02;
  return bytes.toString('hex');
}

/**
 * A Sophos does not tell whose device a guest comes from; the browser gets an address of its own in its place, sealed so that
 * nobody takes another's. Which device it is in truth, the firewall's RADIUS requests tell.
 */
export function nameDevice(app: App, at: Standing, from: From): { at: Standing; remembering?: Remembering } {
  if (at.door.brand !== 'sophos') return { at };
  const digits = knownDigits(app, from) ?? newDigits();
  const mac = digits.toUpperCase().match(/../g)!.join(':');
  return {
    at: { ...at, door: { ...at.door, bypassed: false }, state: { ...at.state, mac } },
    remembering: { name: cookie, value: `${digits}.${seal(app, digits)}`, seconds: keptSeconds },
  };
}
