import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { formatMac } from '@portico/contract/mac.ts';

/*
 * Forwarding authentication (FAS) of openNDS: https://opennds.readthedocs.io (FAS), src/http_microhttpd.c of 9.9 and 10, tried
 * with Debian's 9.10. At the levels 2 and 3 the guest's facts are encrypted with `faskey`, at 1 and 4 they are readable.
 */

/** The secrets of a device's openNDS. All follow from the device's own, and change with it. */
export interface FasKeys {
  /** Encrypts the facts, and makes the answer that a browser carries. openNDS uses at most 32 characters. */
  readonly faskey: string;
  /** In the path of a gateway that fetches its permissions (levels 3 and 4). Its guests see it too. */
  readonly pull: string;
  /** In the path of a gateway whose guests carry them (levels 1 and 2). */
  readonly carried: string;
  /** Known to our script on the gateway only. */
  readonly script: string;
}

export function fasKeys(secret: string): FasKeys {
  const key = (purpose: string) => createHmac('sha256', secret).update(`opennds ${purpose}`).digest('hex').slice(0, 32);
  return { faskey: key('faskey'), pull: key('pull'), carried: key('carried'), script: key('script') };
}

export const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** AES-256-CBC over base64, in base64. The initialization vector is 16 characters as they are. */
function decrypt(fas: string, iv: string, faskey: string): string | undefined {
  if (iv.length !== 16) return undefined;
  try {
    const decipher = createDecipheriv(
      'aes-256-cbc',
      Buffer.alloc(32, 0).fill(faskey, 0, 32),
      Buffer.from(iv, 'latin1'),
    );
    const sealed = Buffer.from(Buffer.from(fas, 'base64').toString('latin1'), 'base64');
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** The gateway's description of its guest. */
export interface FasFacts {
  /** SHA-256 of the token by which the gateway knows this guest. */
  readonly hid: string;
  readonly mac: string;
  readonly ip: string;
  /** The gateway's own web server, such as 192.168.1.1:2050. */
  readonly gateway: string;
  readonly originUrl: string;
}

/** The facts in `fas`; undefined if no gateway with this key made them. */
export function readFas(fas: string, iv: string, faskey: string): FasFacts | undefined {
  const text = iv ? decrypt(fas, iv, faskey) : Buffer.from(fas, 'base64').toString();
  if (text === undefined) return undefined;
  const values = new Map(
    text.split(', ').map(pair => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decoded(pair.slice(at + 1))];
    }),
  );
  const value = (name: string) => values.get(name) ?? '';
  const [hid, mac, gateway] = [value('hid').toLowerCase(), formatMac(value('clientmac')), value('gatewayaddress')];
  const [host = '', port = ''] = gateway.split(':');
  if (!/^[0-9a-f]{64}$/.test(hid) || !/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(mac)) return undefined;
  if (!isIPv4(host) || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return undefined;
  return { hid, mac, ip: value('clientip').slice(0, 45), gateway, originUrl: value('originurl').slice(0, 4000) };
}

type Way = 'pull' | 'carried';

interface Packed {
  readonly gateway: string;
  readonly hid: string;
  readonly way: Way;
  readonly mac: string;
}

const signature = ({ gateway, hid, way, mac }: Packed, faskey: string): string =>
  createHmac('sha256', `portico ${faskey}`).update(`${gateway} ${hid} ${way} ${mac}`).digest('base64url').slice(0, 22);

/** The arrival as one address, which our own pages carry. It is signed, because later pages no longer have `fas`. */
export function packArrival(it: Packed, faskey: string): string {
  const packed = new URL(`http://${it.gateway}/opennds_auth/`);
  packed.search = new URLSearchParams({ hid: it.hid, way: it.way, s: signature(it, faskey) }).toString();
  return packed.href;
}

/** Reverses packArrival; undefined unless we packed it for this guest. */
export function unpackArrival(login: URL, mac: string, faskey: string): Packed | undefined {
  const hid = login.searchParams.get('hid') ?? '';
  const way = login.searchParams.get('way');
  if (login.protocol !== 'http:' || (way !== 'pull' && way !== 'carried')) return undefined;
  const it: Packed = { gateway: `${login.hostname}:${login.port || 80}`, hid, way, mac };
  return isSame(login.searchParams.get('s') ?? '', signature(it, faskey)) ? it : undefined;
}

/** The address by which a browser carries the permission to the gateway. */
export function authUrl(
  login: URL,
  it: { readonly hid: string; readonly faskey: string; readonly redir: string },
): string {
  const url = new URL(login);
  url.search = new URLSearchParams({ tok: sha256(it.hid + it.faskey), redir: it.redir }).toString();
  return url.href;
}
