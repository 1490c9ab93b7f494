import { attribute, code } from '@portico/radius/attributes.ts';
import { type Packet, readOctets } from '@portico/radius/packet.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from '@portico/radius/verify.ts';
import type { RadiusDevice } from './types.ts';

/**
 * `proven`: the sender knows the secret. `unproven`: an Access-Request without Message-Authenticator, which anyone can
 * make, because only the hidden password depends on the secret. The others are reasons to drop the packet.
 */
export type Trust =
  | 'proven'
  | 'unproven'
  | 'wrong_message_authenticator'
  | 'wrong_authenticator'
  | 'no_message_authenticator'
  | 'unsigned_proxy_state';

/** Verifies the authenticators of a request. `inTls`: nobody on the way can change it. */
export const judge = (packet: Packet, device: RadiusDevice, inTls = false): Trust => {
  // No RFC defines a Message-Authenticator in accounting; the Request Authenticator covers the whole packet.
  if (packet.code === code['Accounting-Request'])
    return isRequestAuthentic(packet, device.secret) ? 'proven' : 'wrong_authenticator';
  const verdict = checkMessageAuthenticator(packet, device.secret);
  if (verdict === 'invalid') return 'wrong_message_authenticator';
  if (verdict === 'valid') return 'proven';
  // RFC 5997 section 3 requires it in Status-Server, RFC 3579 section 3.2 with EAP.
  const isMandatory =
    device.requireMessageAuthenticator ||
    packet.code === code['Status-Server'] ||
    readOctets(packet, attribute['EAP-Message']) !== undefined;
  if (isMandatory) return 'no_message_authenticator';
  // A router adds no Proxy-State. Here it would be the attacker's part of the collision that forges a reply (CVE-2024-3596),
  // because every Proxy-State is repeated in the reply. FreeRADIUS calls this limit_proxy_state.
  const isSuspect = !inTls && !device.proxy && readOctets(packet, attribute['Proxy-State']) !== undefined;
  return isSuspect ? 'unsigned_proxy_state' : 'unproven';
};
