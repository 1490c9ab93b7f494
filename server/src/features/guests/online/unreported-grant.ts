import type { App } from '#lib/app.ts';
import type { Visit } from '../guest-state.ts';

/**
 * A session that the portal opens for a router that reports none. It travels encrypted in the address that the router
 * redirects to, so that the session is recorded even if the browser refuses cookies. It opens no page.
 */
export interface PackedGrant {
  readonly nas: string;
  readonly mac: string;
  readonly ip: string;
  readonly class: string;
  /** Unix time in seconds. */
  readonly ends: number;
  /** The gateway's name for the session, if it has one. */
  readonly key?: string | undefined;
}

const purpose = 'unreported session';
type Packed = [string, string, string, string, string, number, (string | null)?];

export function packGrant(
  { secrets }: App,
  { nas, mac, ip }: Visit,
  it: Pick<PackedGrant, 'class' | 'ends' | 'key'>,
): string {
  const plain = JSON.stringify([purpose, nas, mac, ip, it.class, it.ends, it.key]);
  return Buffer.from(secrets.encrypt(plain), 'base64').toString('base64url');
}

/** Reverses packGrant; undefined for other text. */
export function unpackGrant({ secrets }: App, nas: string, text: string): PackedGrant | undefined {
  const plain = text && secrets.read(Buffer.from(text, 'base64url').toString('base64'));
  if (!plain?.startsWith(`["${purpose}",`)) return undefined;
  const [, of, mac, ip, grantClass, ends, key] = JSON.parse(plain) as Packed;
  return of === nas ? { nas, mac, ip, class: grantClass, ends, key: key ?? undefined } : undefined;
}
