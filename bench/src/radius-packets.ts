import { acctStatusType, attribute, code, nasPortType, terminateCause } from '@portico/radius/attributes.ts';
import { address, encodeRequest, integer, newAuthenticator, octets, text } from '@portico/radius/encode.ts';
import { hidePassword } from '@portico/radius/password.ts';

/** A guest with its device, at a router that knows this secret. */
export interface Guest {
  readonly username: string;
  readonly password: string;
  readonly mac: string;
  readonly ip: string;
  readonly nas: string;
  readonly secret: string;
  /** Class of its last Access-Accept, hex: a router puts it into all accounting. */
  readonly class?: string | undefined;
}

const shared = (guest: Guest): Buffer[] => [
  text(attribute['User-Name'], guest.username),
  address(attribute['NAS-IP-Address'], '127.0.0.1'),
  text(attribute['NAS-Identifier'], guest.nas),
  integer(attribute['NAS-Port-Type'], nasPortType['Wireless-802.11']),
  text(attribute['NAS-Port-Id'], 'bridge-guests'),
  text(attribute['Calling-Station-Id'], guest.mac),
  text(attribute['Called-Station-Id'], 'hotspot1'),
  address(attribute['Framed-IP-Address'], guest.ip),
];

/** A sign-in by PAP, as a MikroTik hotspot sends it. */
export function signIn(guest: Guest, id: number): Buffer {
  const secret = Buffer.from(guest.secret);
  const authenticator = newAuthenticator();
  const password = octets(attribute['User-Password'], hidePassword(guest.password, secret, authenticator));
  return encodeRequest({
    code: code['Access-Request'],
    id,
    authenticator,
    secret,
    attributes: [...shared(guest), password],
  });
}

/** How often a session reports between its start and its stop. */
const interims = 3;
export const reportsPerSession = interims + 2;

/**
 * Report `step` (0 start, then interims, the last a stop) of a guest's session. Its time is about what really passed: a session that
 * says it began minutes before its Start is a rare case, which costs more.
 */
export function report(guest: Guest, id: number, session: string, step: number): Buffer {
  const last = step === reportsPerSession - 1;
  const status = step === 0 ? acctStatusType.Start : last ? acctStatusType.Stop : acctStatusType['Interim-Update'];
  const bytes = step * 3_000_000;
  return encodeRequest({
    code: code['Accounting-Request'],
    id,
    secret: Buffer.from(guest.secret),
    attributes: [
      ...shared(guest),
      integer(attribute['Acct-Status-Type'], status),
      text(attribute['Acct-Session-Id'], session),
      integer(attribute['Acct-Session-Time'], step),
      integer(attribute['Acct-Input-Octets'], bytes / 10),
      integer(attribute['Acct-Output-Octets'], bytes),
      ...(guest.class ? [octets(attribute.Class, Buffer.from(guest.class, 'hex'))] : []),
      ...(last ? [integer(attribute['Acct-Terminate-Cause'], terminateCause['User-Request'])] : []),
    ],
  });
}
