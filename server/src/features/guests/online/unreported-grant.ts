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
}

const purpose = 'unreported session';

export function packGrant({ secrets }: App, { nas, mac, ip }: Visit, it: Pick<PackedGrant, 'class' | 'ends'>): string {
  const plain = JSON.stringify([purpose, nas, mac, ip, it.class, it.ends]);
  return Buffer.from(secrets.encrypt(plain), 'base64').toString('base64url');
}

/** Reverses packGrant; undefined for other text. */
export function unpackGrant({ secrets }: App, nas: string, text: string): PackedGrant | undefined {
  const plain = text && secrets.read(Buffer.from(text, 'base64url').toString('base64'));
  if (!plain?.startsWith(`["${purpose}",`)) return undefined;
  const [, of, mac, ip, grantClass, ends] = JSON.parse(plain) as [string, string, string, string, string, number];
  return of === nas ? { nas, mac, ip, class: grantClass, ends } : undefined;
}
