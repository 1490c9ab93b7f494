import { formatMac } from '@portico/contract/mac.ts';
import type { EndedByGateway, GatewayCall, GatewayReport, TextQuery, WaitingGrant } from '../driver.ts';
import { sha256 } from './fas.ts';

/*
 * authmon, the part of openNDS that fetches permissions: forward_authentication_service/libs/authmon.sh, post-request.php and
 * binauth/binauth_log.sh. A root shell evaluates the answers, so they have hexadecimal digits, colons, integers and base64 only.
 */

/** authmon takes four at a time, of at most 1,024 characters together. */
export const maxGrants = 4;

/** The part of a guest's `hid` by which we name its session. */
export const sessionKey = (hid: string): string => hid.slice(0, 32);

const text = (payload: string): string => Buffer.from(payload.replaceAll(' ', '+'), 'base64').toString().slice(0, 4000);

/** The cause of the end of a session, by the names of RFC 2866. */
const causes: Readonly<Record<string, string>> = {
  client_deauth: 'User-Request',
  idle_deauth: 'Idle-Timeout',
  timeout_deauth: 'Session-Timeout',
  downquota_deauth: 'NAS-Request',
  upquota_deauth: 'NAS-Request',
  ndsctl_deauth: 'Admin-Reset',
  shutdown_deauth: 'NAS-Reboot',
};

/** The log entry of binauth: `method=…, clientmac=…, bytes_incoming=…, …`. Only the gateway knows the token of a guest. */
function ended(entry: string): EndedByGateway | undefined {
  const values = Object.fromEntries(
    entry.split(/,\s*/).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const number = (name: string) => (/^\d{1,15}$/.test(values[name] ?? '') ? Number(values[name]) : 0);
  const mac = formatMac(values['clientmac'] ?? '');
  const token = values['token'] ?? '';
  if (!/^[0-9a-f]{4,64}$/i.test(token) || mac.length !== 17) return undefined;
  return {
    key: sessionKey(sha256(token)),
    mac,
    // openNDS counts towards the guest as incoming.
    download: number('bytes_incoming'),
    upload: number('bytes_outgoing'),
    seconds: Math.max(0, number('session_end') - number('session_start')),
    cause: causes[values['method'] ?? ''],
  };
}

/** Version 9 posts a form, version 10 asks with a query. */
export function readCall(fields: TextQuery): GatewayCall | undefined {
  const payload = text(fields['payload'] ?? '');
  switch (fields['auth_get']) {
    case 'clear':
      return { kind: 'started' };
    case 'view':
    case 'list': {
      const macs = payload.split(/\s+/).flatMap(word => {
        const mac = formatMac(word);
        return mac.length === 17 ? mac : [];
      });
      return payload.startsWith('*') ? { kind: 'took', macs: macs.slice(0, 100) } : { kind: 'fetch' };
    }
    case 'deauthed': {
      const end = ended(payload);
      return end ? { kind: 'ended', end } : { kind: 'other' };
    }
    case undefined:
      return undefined;
    default:
      return { kind: 'other' };
  }
}

const whole = (n: number): string => String(Math.max(0, Math.floor(n)));

/** One permission: the guest, minutes, kbit/s and kB up and down, and a name. It begins with what the gateway confirms. */
const entry = (it: WaitingGrant): string =>
  [
    it.mac.toLowerCase(),
    whole(it.minutes),
    whole(it.uploadKbit),
    whole(it.downloadKbit),
    whole(it.quotaKb),
    whole(it.quotaKb),
    Buffer.from(it.key).toString('base64'),
  ].join(' ');

export const listGrants = (grants: readonly WaitingGrant[]): string =>
  ['*', ...grants.slice(0, maxGrants).map(it => encodeURIComponent(entry(it)))].join(' ');

const line = /"(mac|token|state|download_this_session|upload_this_session|session_start)"\s*:\s*"?([^",]*)"?/g;

/** `ndsctl json`, or the lines of it that our script sends. Bytes are in kB, counted for the session. */
export function readReport(body: string): GatewayReport | undefined {
  // Without it openNDS was busy or away, and every guest would seem to be gone.
  if (!body.includes('"client_list_length"')) return undefined;
  const guests: Record<string, string>[] = [];
  for (const [, name = '', value = ''] of body.matchAll(line)) {
    if (name === 'mac') guests.push({});
    const guest = guests.at(-1);
    if (guest) guest[name] = value;
  }
  // A real 9.10 divides by 1024. Earlier versions divided by 1000, which makes 2 % more of them.
  const kibibytes = (value: string | undefined) => (/^\d{1,12}$/.test(value ?? '') ? Number(value) * 1024 : 0);
  const signedIn = guests.filter(it => it['state'] === 'Authenticated' && formatMac(it['mac'] ?? '').length === 17);
  return {
    guests: signedIn.map(it => ({
      mac: formatMac(it['mac']!),
      key: sessionKey(sha256(it['token'] ?? '')),
      download: kibibytes(it['download_this_session']),
      upload: kibibytes(it['upload_this_session']),
    })),
  };
}

/** One line for each guest that the script is to sign out. */
export const listEnds = (macs: readonly string[]): string => macs.map(mac => `${mac.toLowerCase()}\n`).join('');
