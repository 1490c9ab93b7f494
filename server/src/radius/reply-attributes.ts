import {
  airespace,
  attribute,
  cambium,
  chillispot,
  mikrotik,
  pfsense,
  vendor,
  wispr,
} from '@portico/radius/attributes.ts';
import { integer, text, vendorInteger, vendorText } from '@portico/radius/encode.ts';
import type { AcceptDecision, SessionLimits } from './types.ts';

const shortestInterimSeconds = 60;

const rate = (bitsPerSecond: number | undefined): string => {
  if (bitsPerSecond === undefined) return '0';
  const rounded = Math.max(1, Math.round(bitsPerSecond));
  if (rounded % 1_000_000 === 0) return `${rounded / 1_000_000}M`;
  if (rounded % 1000 === 0) return `${rounded / 1000}k`;
  return String(rounded);
};

/** `rx/tx` from the router's view, so the guest's upload comes first; 0 means unlimited. */
export const mikrotikRateLimit = (limits: Pick<SessionLimits, 'uploadBps' | 'downloadBps'>): string =>
  `${rate(limits.uploadBps)}/${rate(limits.downloadBps)}`;

// Routers read 0 as unlimited, so a guest without remaining time or data gets 1.
const atLeastOne = (value: number): number => Math.max(1, Math.floor(value));

/**
 * Limits as standard attributes and those of the vendors. RouterOS prefers MikroTik's Rate-Limit, Cisco's AireOS reads
 * Airespace's, other brands use WISPr, and devices ignore unknown vendors (RFC 2865 section 5.26).
 */
export const limitAttributes = (limits: SessionLimits): Buffer[] => {
  const made: Buffer[] = [];
  const { sessionTimeoutSeconds, idleTimeoutSeconds, uploadBps, downloadBps, totalBytes, addressList } = limits;
  if (sessionTimeoutSeconds !== undefined)
    made.push(integer(attribute['Session-Timeout'], atLeastOne(sessionTimeoutSeconds)));
  if (idleTimeoutSeconds !== undefined) made.push(integer(attribute['Idle-Timeout'], atLeastOne(idleTimeoutSeconds)));
  if (uploadBps !== undefined || downloadBps !== undefined)
    made.push(vendorText(vendor.mikrotik, mikrotik['Rate-Limit'], mikrotikRateLimit(limits)));
  if (uploadBps !== undefined) made.push(vendorInteger(vendor.wispr, wispr['Bandwidth-Max-Up'], atLeastOne(uploadBps)));
  if (downloadBps !== undefined)
    made.push(vendorInteger(vendor.wispr, wispr['Bandwidth-Max-Down'], atLeastOne(downloadBps)));
  for (const [bps, ...types] of [
    [downloadBps, airespace['Data-Bandwidth-Average-Contract'], airespace['Data-Bandwidth-Burst-Contract']],
    [
      uploadBps,
      airespace['Data-Bandwidth-Average-Contract-Upstream'],
      airespace['Data-Bandwidth-Burst-Contract-Upstream'],
    ],
  ] as const)
    if (bps !== undefined)
      for (const type of types) made.push(vendorInteger(vendor.airespace, type, atLeastOne(bps / 1000)));
  if (totalBytes !== undefined) {
    const bytes = atLeastOne(totalBytes);
    made.push(vendorInteger(vendor.mikrotik, mikrotik['Total-Limit'], bytes % 2 ** 32));
    made.push(vendorInteger(vendor.mikrotik, mikrotik['Total-Limit-Gigawords'], Math.floor(bytes / 2 ** 32)));
    made.push(vendorInteger(vendor.chillispot, chillispot['Max-Total-Octets'], bytes % 2 ** 32));
    made.push(vendorInteger(vendor.chillispot, chillispot['Max-Total-Gigawords'], Math.floor(bytes / 2 ** 32)));
    // pfSense has no second word, so a larger limit is cut. The guest signs in again for the rest.
    made.push(vendorInteger(vendor.pfsense, pfsense['Max-Total-Octets'], Math.min(bytes, 2 ** 32 - 1)));
    made.push(vendorInteger(vendor.cambium, cambium['Traffic-Quota-Limit-Total'], bytes % 2 ** 32));
    made.push(
      vendorInteger(vendor.cambium, cambium['Traffic-Quota-Limit-Total-Gigwords'], Math.floor(bytes / 2 ** 32)),
    );
  }
  if (addressList) made.push(vendorText(vendor.mikrotik, mikrotik['Address-List'], addressList));
  return made;
};

/** RFC 2869 section 5.16: not below 60 seconds. */
export const interimAttributes = ({
  interimIntervalSeconds: seconds,
}: Pick<AcceptDecision, 'interimIntervalSeconds'>): Buffer[] =>
  seconds === undefined ? [] : [integer(attribute['Acct-Interim-Interval'], Math.max(shortestInterimSeconds, seconds))];

/** The attributes of an Access-Accept. */
export const acceptAttributes = (decision: AcceptDecision): Buffer[] => {
  const made = limitAttributes(decision);
  if (decision.userName) made.push(text(attribute['User-Name'], decision.userName));
  if (decision.class) made.push(text(attribute.Class, decision.class));
  made.push(...interimAttributes(decision));
  if (decision.replyMessage) made.push(text(attribute['Reply-Message'], decision.replyMessage));
  return made;
};

/** The attributes of an Access-Reject. The router shows the message to the guest. */
export const rejectAttributes = (replyMessage: string): Buffer[] => [text(attribute['Reply-Message'], replyMessage)];
