import { attribute } from './attributes.ts';

/** Shortest and longest RADIUS packet in bytes (RFC 2865 section 3). */
export const shortestPacket = 20;
export const longestPacket = 4096;

/** The longest value of an attribute in bytes (RFC 2865 section 5). */
export const longestValue = 253;

/** A packet whose bounds are checked. Its authenticators are not verified yet; see verify.ts. */
export interface Packet {
  readonly code: number;
  readonly id: number;
  readonly authenticator: Buffer;
  /** The bytes of the packet, without padding that followed it in the datagram. */
  readonly bytes: Buffer;
  /** Triples of attribute type, offset of its value in `bytes`, and length of its value. */
  readonly fields: readonly number[];
  /** Offset of the Message-Authenticator's value in `bytes`, or -1. */
  readonly messageAuthenticatorAt: number;
}

/** Why a datagram is not a valid packet. */
export type Refusal =
  | 'truncated'
  | 'overlong'
  | 'bad_length'
  | 'bad_attribute'
  | 'bad_message_authenticator'
  | 'repeated_message_authenticator';

/** Reads a datagram. Returns the packet, or why it is invalid. Never throws. */
export const decode = (datagram: Buffer): Packet | Refusal => {
  if (datagram.length < shortestPacket) return 'truncated';
  if (datagram.length > longestPacket) return 'overlong';
  const length = datagram.readUInt16BE(2);
  if (length < shortestPacket) return 'bad_length';
  if (length > longestPacket) return 'overlong';
  if (length > datagram.length) return 'truncated';
  // RFC 2865 section 3: octets outside the range of the Length field are padding.
  const bytes = length === datagram.length ? datagram : datagram.subarray(0, length);

  const fields: number[] = [];
  let messageAuthenticatorAt = -1;
  for (let at = shortestPacket; at < length; ) {
    if (at + 2 > length) return 'bad_attribute';
    const type = bytes[at] as number;
    const size = bytes[at + 1] as number;
    if (size < 2 || at + size > length) return 'bad_attribute';
    if (type === attribute['Message-Authenticator']) {
      if (size !== 18) return 'bad_message_authenticator';
      if (messageAuthenticatorAt >= 0) return 'repeated_message_authenticator';
      messageAuthenticatorAt = at + 2;
    }
    fields.push(type, at + 2, size - 2);
    at += size;
  }
  return {
    code: bytes[0] as number,
    id: bytes[1] as number,
    authenticator: bytes.subarray(4, 20),
    bytes,
    fields,
    messageAuthenticatorAt,
  };
};

/** The value of the first attribute of this type. */
export const readOctets = (packet: Packet, type: number): Buffer | undefined => {
  const { fields } = packet;
  for (let i = 0; i < fields.length; i += 3) {
    if (fields[i] !== type) continue;
    const at = fields[i + 1] as number;
    return packet.bytes.subarray(at, at + (fields[i + 2] as number));
  }
  return undefined;
};

/** The values of all attributes of this type, in order. */
export const readAll = (packet: Packet, type: number): Buffer[] => {
  const found: Buffer[] = [];
  const { fields } = packet;
  for (let i = 0; i < fields.length; i += 3) {
    if (fields[i] !== type) continue;
    const at = fields[i + 1] as number;
    found.push(packet.bytes.subarray(at, at + (fields[i + 2] as number)));
  }
  return found;
};

/**
 * The value inside the first Vendor-Specific attribute of this vendor and vendor type. Several vendor attributes may
 * share one Vendor-Specific attribute (RFC 2865 section 5.26). One with inconsistent lengths is skipped.
 */
export const readVendorOctets = (packet: Packet, vendorId: number, vendorType: number): Buffer | undefined => {
  for (const value of readAll(packet, attribute['Vendor-Specific'])) {
    if (value.length < 6 || value.readUInt32BE(0) !== vendorId) continue;
    for (let at = 4; at + 2 <= value.length; ) {
      const size = value[at + 1] as number;
      if (size < 2 || at + size > value.length) break;
      if (value[at] === vendorType) return value.subarray(at + 2, at + size);
      at += size;
    }
  }
  return undefined;
};

/** The UTF-8 bytes of a text, cut after the last whole character within `maxBytes`. */
export const utf8Within = (value: string, maxBytes: number): Buffer => {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  // A continuation byte (10xxxxxx) at the cut belongs to a character that would be cut in half.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/**
 * UTF-8 text of an attribute's bytes. Malformed bytes and NULs become U+FFFD: PostgreSQL cannot store NULs, and
 * removing them could make two different names equal. U+FFFD has three bytes for each one that it replaces, so a text that
 * would become longer than any attribute is cut.
 */
export const asText = (bytes: Buffer): string => {
  const text = bytes.toString('utf8').replaceAll('\0', '\uFFFD');
  return text.length * 3 > longestValue ? utf8Within(text, longestValue).toString('utf8') : text;
};

/** A 32-bit unsigned integer, or `undefined` when the bytes are not four. */
export const asInteger = (bytes: Buffer): number | undefined =>
  bytes.length === 4 ? bytes.readUInt32BE(0) : undefined;

/** An IPv4 address in dotted form, or `undefined` when the bytes are not four. */
export const asAddress = (bytes: Buffer): string | undefined =>
  bytes.length === 4 ? `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}` : undefined;

/** An IPv6 address as eight groups, or `undefined` when the bytes are not sixteen. */
export const asIpv6 = (bytes: Buffer): string | undefined =>
  bytes.length === 16
    ? Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(':')
    : undefined;

/**
 * An IPv6 prefix such as 2001:db8:0:0:0:0:0:0/56 (RFC 3162 section 2.3, RFC 4818 section 3). Bits after the prefix are zero;
 * senders omit trailing bytes. `undefined` when the lengths do not fit.
 */
export const asIpv6Prefix = (bytes: Buffer): string | undefined => {
  const length = bytes[1];
  if (bytes.length < 2 || bytes.length > 18 || length === undefined || length > 128) return undefined;
  if (bytes.length - 2 < Math.ceil(length / 8)) return undefined;
  const whole = Buffer.alloc(16);
  bytes.copy(whole, 0, 2, 2 + Math.ceil(length / 8));
  if (length % 8 > 0) whole[length >> 3]! &= 0xff << (8 - (length % 8));
  return `${asIpv6(whole)}/${length}`;
};

/** The first attribute of this type as text; see `asText`. */
export const readText = (packet: Packet, type: number): string | undefined => {
  const value = readOctets(packet, type);
  return value && asText(value);
};

/** The first attribute of this type as a 32-bit unsigned integer. */
export const readInteger = (packet: Packet, type: number): number | undefined => {
  const value = readOctets(packet, type);
  return value && asInteger(value);
};

/** The first attribute of this type as an IPv4 address. */
export const readAddress = (packet: Packet, type: number): string | undefined => {
  const value = readOctets(packet, type);
  return value && asAddress(value);
};

/** A vendor's attribute as text. */
export const readVendorText = (packet: Packet, vendorId: number, vendorType: number): string | undefined => {
  const value = readVendorOctets(packet, vendorId, vendorType);
  return value && asText(value);
};

/** A vendor's attribute as a 32-bit unsigned integer. */
export const readVendorInteger = (packet: Packet, vendorId: number, vendorType: number): number | undefined => {
  const value = readVendorOctets(packet, vendorId, vendorType);
  return value && asInteger(value);
};
