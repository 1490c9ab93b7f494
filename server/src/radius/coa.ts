import { isIPv4 } from 'node:net';
import { attribute, code, type ErrorCause, errorCauseName, mikrotik, vendor } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { address, integer, text, vendorText } from '@portico/radius/encode.ts';
import { readInteger } from '@portico/radius/packet.ts';
import { interimAttributes, limitAttributes, mikrotikRateLimit } from './reply-attributes.ts';
import type { SessionLimits } from './types.ts';

export interface RouterAddress {
  readonly host: string;
  /** 3799 when left out (RFC 5176 section 2.1). */
  readonly port?: number | undefined;
  readonly secret: Buffer;
  /** Milliseconds to wait for each of `attempts`; 2000 and 3 when left out. */
  readonly timeoutMs?: number | undefined;
  readonly attempts?: number | undefined;
}

/** The known attributes that identify a session to its router. */
export interface SessionName {
  readonly userName?: string | undefined;
  readonly framedIp?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The MAC of the guest device, for brands that want it (`commandsNameMac`). */
  readonly mac?: string | undefined;
}

/** `errorCause` is a number if RFC 5176 has no name for it, and undefined if the router sent none. */
export type CommandOutcome =
  | { readonly outcome: 'acknowledged' }
  | { readonly outcome: 'refused'; readonly errorCause: ErrorCause | number | undefined }
  | { readonly outcome: 'no-answer' };

const coaPort = 3799;

const command = async (
  router: RouterAddress,
  codes: { readonly request: number; readonly ack: number; readonly nak: number },
  attributes: readonly Buffer[],
): Promise<CommandOutcome> => {
  const client = openClient({
    host: router.host,
    port: router.port ?? coaPort,
    secret: router.secret,
    timeoutMs: router.timeoutMs ?? 2000,
    attempts: router.attempts ?? 3,
  });
  try {
    const reply = await client.send({ code: codes.request, attributes });
    if (reply?.code === codes.ack) return { outcome: 'acknowledged' };
    if (reply?.code !== codes.nak) return { outcome: 'no-answer' };
    const cause = readInteger(reply, attribute['Error-Cause']);
    return { outcome: 'refused', errorCause: cause === undefined ? undefined : (errorCauseName(cause) ?? cause) };
  } finally {
    client.close();
  }
};

const nameAttributes = ({ userName, framedIp, sessionId, mac }: SessionName): Buffer[] => {
  const made: Buffer[] = [];
  if (userName) made.push(text(attribute['User-Name'], userName));
  if (framedIp && isIPv4(framedIp)) made.push(address(attribute['Framed-IP-Address'], framedIp));
  if (sessionId) made.push(text(attribute['Acct-Session-Id'], sessionId));
  // RFC 3580 section 3.21: upper case, with hyphens.
  if (mac) made.push(text(attribute['Calling-Station-Id'], mac.replaceAll(':', '-')));
  // Against replay, routers refuse a request whose time is more than 300 s off (RFC 5176 section 6.3).
  made.push(integer(attribute['Event-Timestamp'], Date.now() / 1000));
  return made;
};

const disconnectCodes = {
  request: code['Disconnect-Request'],
  ack: code['Disconnect-ACK'],
  nak: code['Disconnect-NAK'],
};
const changeCodes = { request: code['CoA-Request'], ack: code['CoA-ACK'], nak: code['CoA-NAK'] };

/** Asks a router to end a session (RFC 5176 section 2.1). Never rejects; an unreachable router is `no-answer`. */
export const disconnectSession = (router: RouterAddress, session: SessionName): Promise<CommandOutcome> =>
  command(router, disconnectCodes, nameAttributes(session));

/**
 * Asks a router to change the limits of a session (RFC 5176 section 2.2). Absent speeds become unlimited. CoovaChilli forgets
 * what a request leaves out, so it has all attributes of the sign-in. Never rejects.
 */
export const changeSessionLimits = (
  router: RouterAddress,
  session: SessionName,
  limits: SessionLimits & { readonly interimIntervalSeconds?: number | undefined },
): Promise<CommandOutcome> => {
  const changed = [...nameAttributes(session), ...limitAttributes(limits), ...interimAttributes(limits)];
  // Without the attribute, the session would keep its initial speed.
  if (limits.uploadBps === undefined && limits.downloadBps === undefined)
    changed.push(vendorText(vendor.mikrotik, mikrotik['Rate-Limit'], mikrotikRateLimit(limits)));
  return command(router, changeCodes, changed);
};
