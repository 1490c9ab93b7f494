/** The few pieces of DER (ITU-T X.690) that time stamps, certificates and signatures are made of. */

function length(bytes: number): Buffer {
  if (bytes < 128) return Buffer.from([bytes]);
  const hex = bytes.toString(16);
  const digits = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
}

/** A value with its tag. */
export const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
};

export const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
/** A positive integer, given by its bytes. */
export const integer = (bytes: Buffer): Buffer =>
  der(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);

export const set = (...content: Buffer[]): Buffer => der(0x31, ...content);
export const octets = (bytes: Buffer): Buffer => der(0x04, bytes);
export const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
/** Bits, of which the last `unused` are none. */
export const bits = (bytes: Buffer, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
/** An object identifier, given by its content in hex. */
export const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** UTCTime as far as its two digits of the year reach, GeneralizedTime beyond (RFC 5280, section 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

export interface Value {
  readonly tag: number;
  readonly content: Buffer;
  readonly end: number;
}

/** Reads the value at `at`; throws when there is none. */
export function readValue(bytes: Buffer, at = 0): Value {
  const tag = bytes[at];
  let size = bytes[at + 1];
  if (tag === undefined || size === undefined) throw new Error('DER ends too early');
  let start = at + 2;
  if (size & 0x80) {
    const digits = size & 0x7f;
    if (digits === 0 || digits > 4) throw new Error('DER of a length that is not possible here');
    if (start + digits > bytes.length) throw new Error('DER ends too early');
    size = bytes.readUIntBE(start, digits);
    start += digits;
  }
  if (start + size > bytes.length) throw new Error('DER ends too early');
  return { tag, content: bytes.subarray(start, start + size), end: start + size };
}
