/** Packet codes (RFC 2865 section 4, RFC 2866 section 4, RFC 5176 section 2.3, RFC 5997). */
export const code = {
  'Access-Request': 1,
  'Access-Accept': 2,
  'Access-Reject': 3,
  'Accounting-Request': 4,
  'Accounting-Response': 5,
  'Access-Challenge': 11,
  'Status-Server': 12,
  'Disconnect-Request': 40,
  'Disconnect-ACK': 41,
  'Disconnect-NAK': 42,
  'CoA-Request': 43,
  'CoA-ACK': 44,
  'CoA-NAK': 45,
} as const;

/** Attribute types of RFC 2865, 2866, 2869, 3162, 4372, 4818, 5176 and 6911, by their registered names. */
export const attribute = {
  'User-Name': 1,
  'User-Password': 2,
  'CHAP-Password': 3,
  'NAS-IP-Address': 4,
  'NAS-Port': 5,
  'Service-Type': 6,
  'Framed-Protocol': 7,
  'Framed-IP-Address': 8,
  'Framed-IP-Netmask': 9,
  'Framed-Routing': 10,
  'Filter-Id': 11,
  'Framed-MTU': 12,
  'Framed-Compression': 13,
  'Login-IP-Host': 14,
  'Login-Service': 15,
  'Login-TCP-Port': 16,
  'Reply-Message': 18,
  'Callback-Number': 19,
  'Callback-Id': 20,
  'Framed-Route': 22,
  'Framed-IPX-Network': 23,
  State: 24,
  Class: 25,
  'Vendor-Specific': 26,
  'Session-Timeout': 27,
  'Idle-Timeout': 28,
  'Termination-Action': 29,
  'Called-Station-Id': 30,
  'Calling-Station-Id': 31,
  'NAS-Identifier': 32,
  'Proxy-State': 33,
  'Login-LAT-Service': 34,
  'Login-LAT-Node': 35,
  'Login-LAT-Group': 36,
  'Framed-AppleTalk-Link': 37,
  'Framed-AppleTalk-Network': 38,
  'Framed-AppleTalk-Zone': 39,
  'Acct-Status-Type': 40,
  'Acct-Delay-Time': 41,
  'Acct-Input-Octets': 42,
  'Acct-Output-Octets': 43,
  'Acct-Session-Id': 44,
  'Acct-Authentic': 45,
  'Acct-Session-Time': 46,
  'Acct-Input-Packets': 47,
  'Acct-Output-Packets': 48,
  'Acct-Terminate-Cause': 49,
  'Acct-Multi-Session-Id': 50,
  'Acct-Link-Count': 51,
  'Acct-Input-Gigawords': 52,
  'Acct-Output-Gigawords': 53,
  'Event-Timestamp': 55,
  'CHAP-Challenge': 60,
  'NAS-Port-Type': 61,
  'Port-Limit': 62,
  'Login-LAT-Port': 63,
  'ARAP-Password': 70,
  'ARAP-Features': 71,
  'ARAP-Zone-Access': 72,
  'ARAP-Security': 73,
  'ARAP-Security-Data': 74,
  'Password-Retry': 75,
  Prompt: 76,
  'Connect-Info': 77,
  'Configuration-Token': 78,
  'EAP-Message': 79,
  'Message-Authenticator': 80,
  'ARAP-Challenge-Response': 84,
  'Acct-Interim-Interval': 85,
  'NAS-Port-Id': 87,
  'Framed-Pool': 88,
  'Chargeable-User-Identity': 89,
  'NAS-IPv6-Address': 95,
  'Framed-Interface-Id': 96,
  'Framed-IPv6-Prefix': 97,
  'Error-Cause': 101,
  'Delegated-IPv6-Prefix': 123,
  'Framed-IPv6-Address': 168,
} as const;

/** SMI enterprise numbers that Vendor-Specific attributes carry. */
export const vendor = {
  microsoft: 311,
  pfsense: 13644,
  wispr: 14122,
  airespace: 14179,
  chillispot: 14559,
  mikrotik: 14988,
  cambium: 17713,
} as const;

/** Vendor types inside vendor 311 (RFC 2548). */
export const microsoft = { 'CHAP-Response': 1, 'CHAP2-Response': 25 } as const;

/** Vendor types inside vendor 14988. Limits are in bytes; 0 means unlimited. */
export const mikrotik = {
  'Recv-Limit': 1,
  'Xmit-Limit': 2,
  Group: 3,
  'Rate-Limit': 8,
  Realm: 9,
  'Host-IP': 10,
  'Mark-Id': 11,
  'Advertise-URL': 12,
  'Advertise-Interval': 13,
  'Recv-Limit-Gigawords': 14,
  'Xmit-Limit-Gigawords': 15,
  'Total-Limit': 17,
  'Total-Limit-Gigawords': 18,
  'Address-List': 19,
} as const;

/** Vendor types inside vendor 14122. Bandwidths are in bit/s. */
export const wispr = {
  'Location-ID': 1,
  'Location-Name': 2,
  'Logoff-URL': 3,
  'Redirection-URL': 4,
  'Bandwidth-Min-Up': 5,
  'Bandwidth-Min-Down': 6,
  'Bandwidth-Max-Up': 7,
  'Bandwidth-Max-Down': 8,
  'Session-Terminate-Time': 9,
  'Session-Terminate-End-Of-Day': 10,
  'Billing-Class-Of-Service': 11,
} as const;

/** Vendor types inside vendor 14559, which CoovaChilli and uspot read. Limits are in bytes. */
export const chillispot = {
  'Max-Input-Octets': 1,
  'Max-Output-Octets': 2,
  'Max-Total-Octets': 3,
  'Acct-View-Point': 10,
  'Max-Total-Gigawords': 23,
} as const;

/** Vendor types inside vendor 14179, which Cisco's AireOS reads. Bandwidths are in kbit/s. */
export const airespace = {
  'Data-Bandwidth-Average-Contract': 7,
  'Data-Bandwidth-Burst-Contract': 9,
  'Data-Bandwidth-Average-Contract-Upstream': 13,
  'Data-Bandwidth-Burst-Contract-Upstream': 15,
} as const;

/** Vendor types inside vendor 13644. Bytes. */
export const pfsense = { 'Max-Total-Octets': 3 } as const;

/** Vendor types inside vendor 17713. Bytes. */
export const cambium = { 'Traffic-Quota-Limit-Total': 155, 'Traffic-Quota-Limit-Total-Gigwords': 156 } as const;

/** Values of ChilliSpot's Acct-View-Point: whether input is what the gateway received, or what the guest received. */
export const viewPoint = { NAS: 1, Client: 2 } as const;

/** Values of Acct-Status-Type (RFC 2866 section 5.1). */
export const acctStatusType = {
  Start: 1,
  Stop: 2,
  'Interim-Update': 3,
  'Accounting-On': 7,
  'Accounting-Off': 8,
} as const;

/** Values of Acct-Terminate-Cause (RFC 2866 section 5.10). */
export const terminateCause = {
  'User-Request': 1,
  'Lost-Carrier': 2,
  'Lost-Service': 3,
  'Idle-Timeout': 4,
  'Session-Timeout': 5,
  'Admin-Reset': 6,
  'Admin-Reboot': 7,
  'Port-Error': 8,
  'NAS-Error': 9,
  'NAS-Request': 10,
  'NAS-Reboot': 11,
  'Port-Unneeded': 12,
  'Port-Preempted': 13,
  'Port-Suspended': 14,
  'Service-Unavailable': 15,
  Callback: 16,
  'User-Error': 17,
  'Host-Request': 18,
} as const;

/** Values of NAS-Port-Type that hotspots send. */
export const nasPortType = { Ethernet: 15, 'Wireless-802.11': 19 } as const;

/** Values of Service-Type that hotspots send (RFC 2865 section 5.6; Authorize-Only: RFC 5176). */
export const serviceType = { Login: 1, Framed: 2, 'Call-Check': 10, 'Authorize-Only': 17 } as const;

/** Values of Error-Cause (RFC 5176 section 3.5). */
export const errorCause = {
  'Residual-Context-Removed': 201,
  'Invalid-EAP-Packet': 202,
  'Unsupported-Attribute': 401,
  'Missing-Attribute': 402,
  'NAS-Identification-Mismatch': 403,
  'Invalid-Request': 404,
  'Unsupported-Service': 405,
  'Unsupported-Extension': 406,
  'Invalid-Attribute-Value': 407,
  'Administratively-Prohibited': 501,
  'Request-Not-Routable': 502,
  'Session-Context-Not-Found': 503,
  'Session-Context-Not-Removable': 504,
  'Other-Proxy-Processing-Error': 505,
  'Resources-Unavailable': 506,
  'Request-Initiated': 507,
  'Multiple-Session-Selection-Unsupported': 508,
} as const;

export type CodeName = keyof typeof code;
export type TerminateCause = keyof typeof terminateCause;
export type ErrorCause = keyof typeof errorCause;

const inverted = <K extends string>(table: Readonly<Record<K, number>>): ReadonlyMap<number, K> =>
  new Map((Object.entries(table) as [K, number][]).map(([name, number]) => [number, name]));

const codeNames = inverted(code);
const terminateCauses = inverted(terminateCause);
const errorCauses = inverted(errorCause);

/** The registered name of a packet code, or `undefined`. */
export const codeName = (number: number): CodeName | undefined => codeNames.get(number);
/** The registered name of an Acct-Terminate-Cause, or `undefined`. */
export const terminateCauseName = (number: number): TerminateCause | undefined => terminateCauses.get(number);
/** The registered name of an Error-Cause, or `undefined`. */
export const errorCauseName = (number: number): ErrorCause | undefined => errorCauses.get(number);
