import { hash, randomBytes } from 'node:crypto';
import { attribute, code } from './attributes.ts';
import { hmacMd5 } from './hmac.ts';
import { longestPacket, longestValue, type Packet, readAll, shortestPacket, utf8Within } from './packet.ts';

const longestVendorValue = 247;
const noAuthenticator = Buffer.alloc(16);

/** An attribute of raw bytes. Throws RangeError beyond 253 bytes. */
export const octets = (type: number, value: Buffer): Buffer => {
  if (value.length > longestValue) throw new RangeError(`attribute ${type} holds at most ${longestValue} bytes`);
  const made = Buffer.allocUnsafe(value.length + 2);
  made[0] = type;
  made[1] = made.length;
  value.copy(made, 2);
  return made;
};

/** An attribute of UTF-8 text, cut after the last whole character within 253 bytes. */
export const text = (type: number, value: string): Buffer => octets(type, utf8Within(value, longestValue));

/** An attribute of a 32-bit unsigned integer; values out of range are clamped. */
export const integer = (type: number, value: number): Buffer => {
  const made = Buffer.allocUnsafe(6);
  made[0] = type;
  made[1] = 6;
  made.writeUInt32BE(within32Bits(value), 2);
  return made;
};

const within32Bits = (value: number): number => Math.min(0xffff_ffff, Math.max(0, Math.trunc(value) || 0));

/** An attribute of an IPv4 address in dotted form. Throws RangeError when it is not one. */
export const address = (type: number, value: string): Buffer => {
  const parts = value.split('.');
  const bytes = parts.map(Number);
  const good = parts.length === 4 && parts.every((part, i) => /^\d{1,3}$/.test(part) && (bytes[i] as number) <= 255);
  if (!good) throw new RangeError(`attribute ${type} holds an IPv4 address`);
  return Buffer.from([type, 6, ...bytes]);
};

const vendorSpecific = (vendorId: number, vendorType: number, value: Buffer): Buffer => {
  const made = Buffer.allocUnsafe(value.length + 8);
  made[0] = attribute['Vendor-Specific'];
  made[1] = made.length;
  made.writeUInt32BE(vendorId, 2);
  made[6] = vendorType;
  made[7] = value.length + 2;
  value.copy(made, 8);
  return made;
};

/** A vendor's attribute of UTF-8 text, cut after the last whole character within 247 bytes. */
export const vendorText = (vendorId: number, vendorType: number, value: string): Buffer =>
  vendorSpecific(vendorId, vendorType, utf8Within(value, longestVendorValue));

/** A vendor's attribute of a 32-bit unsigned integer; values out of range are clamped. */
export const vendorInteger = (vendorId: number, vendorType: number, value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(within32Bits(value));
  return vendorSpecific(vendorId, vendorType, bytes);
};

interface Content {
  readonly code: number;
  readonly attributes: readonly Buffer[];
  readonly secret: Buffer;
}

interface Parts extends Content {
  readonly id: number;
  /** Without it the packet carries no Message-Authenticator. */
  readonly signed: boolean;
  /** Value of the authenticator field while the Message-Authenticator is computed. */
  readonly authenticator: Buffer;
}

// The Message-Authenticator goes first, so that no attribute before it can be used for a chosen-prefix collision
// (CVE-2024-3596). The buffer ends with the secret, after the packet's `length` bytes.
const assemble = (parts: Parts): { made: Buffer; length: number } => {
  const { attributes, secret, signed } = parts;
  let at: number = signed ? shortestPacket + 18 : shortestPacket;
  const length = attributes.reduce((sum, one) => sum + one.length, at);
  if (length > longestPacket) throw new RangeError(`a packet holds at most ${longestPacket} bytes`);
  const made = Buffer.allocUnsafe(length + secret.length);
  made[0] = parts.code;
  made[1] = parts.id;
  made.writeUInt16BE(length, 2);
  parts.authenticator.copy(made, 4);
  for (const one of attributes) at += one.copy(made, at);
  if (signed) {
    made[20] = attribute['Message-Authenticator'];
    made[21] = 18;
    made.fill(0, 22, 38);
    hmacMd5(secret, made.subarray(0, length)).copy(made, 22);
  }
  secret.copy(made, length);
  return { made, length };
};

/** A random Request Authenticator for an Access-Request. The hidden password depends on it, so make it first. */
export const newAuthenticator = (): Buffer => randomBytes(16);

/**
 * A request with Message-Authenticator, ready to send. Access-Request and Status-Server need an `authenticator`; the
 * other requests' is computed (RFC 2866 section 3, RFC 5176 section 2.3). Throws RangeError beyond 4096 bytes.
 */
export const encodeRequest = (request: Content & { readonly id: number; readonly authenticator?: Buffer }): Buffer => {
  const random = request.code === code['Access-Request'] || request.code === code['Status-Server'];
  const authenticator = random ? (request.authenticator ?? newAuthenticator()) : noAuthenticator;
  const { made, length } = assemble({ ...request, authenticator, signed: true });
  if (!random) hash('md5', made, 'buffer').copy(made, 4);
  return made.subarray(0, length);
};

/**
 * The reply to a request, with Response Authenticator (RFC 2865 section 3) and Message-Authenticator. An
 * Accounting-Response has no Message-Authenticator: no RFC defines it there, and FreeRADIUS computes it differently.
 */
export const encodeReply = (request: Packet, reply: Content): Buffer => {
  const { made, length } = assemble({
    ...reply,
    attributes: [...reply.attributes, ...proxyStates(request)],
    id: request.id,
    authenticator: request.authenticator,
    signed: request.code !== code['Accounting-Request'],
  });
  hash('md5', made, 'buffer').copy(made, 4);
  return made.subarray(0, length);
};

// RFC 2865 section 5.33: a reply returns every Proxy-State unchanged and in order.
const proxyStates = (request: Packet): Buffer[] =>
  readAll(request, attribute['Proxy-State']).map(value => octets(attribute['Proxy-State'], value));
