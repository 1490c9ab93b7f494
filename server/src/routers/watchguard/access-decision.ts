import { createHash } from 'node:crypto';

/**
 * A Firebox's request about a guest device (external guest authentication). The signature covers the values as the Firebox
 * sent them, so they keep their spelling.
 */
export interface FireboxRequest {
  /** The address that takes the decision: `xtm`. */
  readonly url: string;
  readonly ts: string;
  readonly sn: string;
  readonly mac: string;
}

export interface FireboxDecision {
  readonly success: 0 | 1;
  /** Seconds; 0 means unlimited. */
  readonly sessionTimeout: number;
  readonly idleTimeout: number;
}

/** The checksum of a decision, as WatchGuard publishes it: SHA-1 of the values and the shared secret, in hex. */
export const signDecision = (
  { ts, sn, mac }: Omit<FireboxRequest, 'url'>,
  it: FireboxDecision,
  secret: string,
): string =>
  createHash('sha1')
    .update(`${ts}${sn}${mac}${it.success}${it.sessionTimeout}${it.idleTimeout}${secret}`)
    .digest('hex');

/** The address that carries the decision to the Firebox, which sends the browser on to `redirect`. */
export function decisionUrl(
  request: FireboxRequest,
  it: FireboxDecision & { readonly secret: string; readonly redirect: string },
): string {
  const url = new URL(request.url);
  url.search = new URLSearchParams({
    action: 'hotspot_auth',
    ts: request.ts,
    success: String(it.success),
    sess_timeout: String(it.sessionTimeout),
    idle_timeout: String(it.idleTimeout),
    sig: signDecision(request, it, it.secret),
    redirect: it.redirect,
  }).toString();
  return url.href;
}

/** The request as one address, so that it fits the portal's `login` parameter. */
export function packRequest({ url, ts, sn, mac }: FireboxRequest): string {
  const packed = new URL(url);
  packed.search = new URLSearchParams({ ts, sn, mac }).toString();
  return packed.href;
}

/** Reverses packRequest; undefined for any other address. */
export function unpackRequest(packed: URL): FireboxRequest | undefined {
  const [ts = '', sn = '', mac = ''] = ['ts', 'sn', 'mac'].map(name => packed.searchParams.get(name) ?? '');
  const url = new URL(packed);
  url.search = '';
  return /^\d{1,20}$/.test(ts) && sn && mac ? { url: url.href, ts, sn, mac } : undefined;
}
