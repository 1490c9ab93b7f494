import {
  acctStatusType,
  attribute,
  mikrotik,
  nasPortType,
  serviceType,
  type TerminateCause,
  terminateCause,
  vendor,
} from '@portico/radius/attributes.ts';
import { address, integer, octets, text } from '@portico/radius/encode.ts';
import type { ChapAnswer } from './guest-side.ts';
import type { GuestDevice, HotspotSession } from './session.ts';

/** The attributes of a router in every packet. */
export interface RouterIdentity {
  readonly nasIdentifier: string;
  /** The address that the router reports; many venues use the same one. */
  readonly nasIp: string;
  readonly serverName: string;
  readonly interfaceName: string;
  readonly clockSkew?: number | undefined;
}

const common = (router: RouterIdentity, device: GuestDevice, sessionId: string, port: number): Buffer[] => [
  integer(attribute['NAS-Port-Type'], nasPortType['Wireless-802.11']),
  text(attribute['Calling-Station-Id'], device.mac),
  // RouterOS puts the hotspot server's name here, not an address.
  text(attribute['Called-Station-Id'], router.serverName),
  text(attribute['NAS-Port-Id'], router.interfaceName),
  integer(attribute['NAS-Port'], port),
  text(attribute['Acct-Session-Id'], sessionId),
  address(attribute['Framed-IP-Address'], device.ip),
  hostIp(device.ip),
  text(attribute['NAS-Identifier'], router.nasIdentifier),
  address(attribute['NAS-IP-Address'], router.nasIp),
];

const hostIp = (ip: string): Buffer => {
  const inner = address(mikrotik['Host-IP'], ip);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(vendor.mikrotik);
  return octets(attribute['Vendor-Specific'], Buffer.concat([head, inner]));
};

/** An Access-Request's attributes, without the password. */
export const accessAttributes = (
  router: RouterIdentity,
  device: GuestDevice,
  sign: { readonly userName: string; readonly sessionId: string; readonly port: number },
): Buffer[] => [
  text(attribute['User-Name'], sign.userName),
  integer(attribute['Service-Type'], serviceType.Login),
  ...common(router, device, sign.sessionId, sign.port),
];

/** The answer to a challenge, with the identifier 0. */
export const answerAttributes = ({ challenge, response }: ChapAnswer): Buffer[] => [
  octets(attribute['CHAP-Password'], Buffer.concat([Buffer.of(0), response])),
  octets(attribute['CHAP-Challenge'], challenge),
];

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** An Accounting-Request's attributes about a session. */
export const accountingAttributes = (
  router: RouterIdentity,
  session: HotspotSession,
  event: {
    readonly status: 'Start' | 'Interim-Update' | 'Stop';
    readonly now: number;
    readonly cause?: TerminateCause;
  },
): Buffer[] => {
  const made = [
    integer(attribute['Acct-Status-Type'], acctStatusType[event.status]),
    text(attribute['User-Name'], session.userName),
    ...common(router, session.device, session.id, session.port),
    integer(attribute['Acct-Delay-Time'], 0),
    integer(attribute['Event-Timestamp'], seconds(Date.now()) + (router.clockSkew ?? 0)),
  ];
  if (session.class) made.push(octets(attribute.Class, session.class));
  for (const it of session.device.ipv6 ?? []) made.push(octets(attribute['Framed-IPv6-Address'], it));
  if (event.status === 'Start') return made;
  made.push(
    integer(attribute['Acct-Session-Time'], seconds(event.now - session.startedAt)),
    integer(attribute['Acct-Input-Octets'], session.uploadBytes % 2 ** 32),
    integer(attribute['Acct-Input-Gigawords'], Math.floor(session.uploadBytes / 2 ** 32)),
    integer(attribute['Acct-Output-Octets'], session.downloadBytes % 2 ** 32),
    integer(attribute['Acct-Output-Gigawords'], Math.floor(session.downloadBytes / 2 ** 32)),
    integer(attribute['Acct-Input-Packets'], Math.ceil(session.uploadBytes / 900)),
    integer(attribute['Acct-Output-Packets'], Math.ceil(session.downloadBytes / 1300)),
  );
  if (event.cause) made.push(integer(attribute['Acct-Terminate-Cause'], terminateCause[event.cause]));
  return made;
};

/** Accounting-On after the router has started, Accounting-Off before it stops. */
export const bootAttributes = (router: RouterIdentity, status: 'Accounting-On' | 'Accounting-Off'): Buffer[] => [
  integer(attribute['Acct-Status-Type'], acctStatusType[status]),
  text(attribute['NAS-Identifier'], router.nasIdentifier),
  address(attribute['NAS-IP-Address'], router.nasIp),
  integer(attribute['Acct-Delay-Time'], 0),
  integer(attribute['Event-Timestamp'], seconds(Date.now()) + (router.clockSkew ?? 0)),
];
