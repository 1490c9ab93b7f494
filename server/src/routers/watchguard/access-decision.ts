import { createHash } from 'node:crypto';

/** What a Firebox asked about a guest device (external guest authentication), spelled as it sent it: its signature is over that. */
export interface FireboxRequest {
  /** Where the decision goes: `xtm`. */
  readonly url: string;
  readonly ts: string;
  readonly sn: string;
  readonly mac: string;
}

export interface FireboxDecision {
  readonly success: 0 | 1;
  /** Seconds; 0: without an end. */
  readonly sessionTimeout: number;
  readonly idleTimeout: number;
}

/** The checksum of a decision, as WatchGuard publishes it: hex SHA-1 of the values and the shared secret. */
export const signDecision = (
  { ts, sn, mac }: Omit<FireboxRequest, 'url'>,
  it: FireboxDecision,
  secret: string,
): string =>
  createHash('sha1')
    .update(`${ts}${sn}${mac}${it.success}${it.sessionTimeout}${it.idleTimeout}${secret}`)
    .digest('hex');

/** The address by which a guest's browser takes the decision to the Firebox, which then sends it on to `redirect`. */
export function decisionAddress(
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

/** The request as one address, for what carries a router's sign-in address through the portal. */
export function packRequest({ url, ts, sn, mac }: FireboxRequest): string {
  const packed = new URL(url);
  packed.search = new URLSearchParams({ ts, sn, mac }).toString();
  return packed.href;
}

/** Undoes packRequest: undefined for an address that no Firebox made. */
export function unpackRequest(packed: URL): FireboxRequest | undefined {
  const [ts = '', sn = '', mac = ''] = ['ts', 'sn', 'mac'].map(name => packed.searchParams.get(name) ?? '');
  const url = new URL(packed);
  url.search = '';
  return /^\d{1,20}$/.test(ts) && sn && mac ? { url: url.href, ts, sn, mac } : undefined;
}
