import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { der, integer, readValue, sequence } from './der.ts';

/** A key and the certificate that goes with it. */
export interface SigningKey {
  /** PKCS#8, PEM. */
  readonly privateKey: string;
  /** X.509, DER. */
  readonly certificate: Buffer;
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const oids = {
  data: oid('2a864886f70d010701'),
  signedData: oid('2a864886f70d010702'),
  contentType: oid('2a864886f70d010903'),
  messageDigest: oid('2a864886f70d010904'),
  signingTime: oid('2a864886f70d010905'),
  signingCertificate: oid('2a864886f70d010910022f'),
  sha256: oid('608648016503040201'),
  ecdsaWithSha256: oid('2a8648ce3d040302'),
  commonName: oid('550403'),
  organization: oid('55040a'),
  keyUsage: oid('551d0f'),
};
const set = (...content: Buffer[]): Buffer => der(0x31, ...content);
const octets = (bytes: Buffer): Buffer => der(0x04, bytes);
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const version = (number: number): Buffer => integer(Buffer.from([number]));
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** UTCTime as far as its two digits of the year reach, GeneralizedTime beyond (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

const validYears = 20;

/** A new key on the curve P-256 with a certificate that it signed itself, for `name`. */
export function makeSigningKey(name: string, now = new Date()): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const part = (kind: Buffer, value: string) => set(sequence(kind, text(value.slice(0, 64))));
  const subject = sequence(part(oids.organization, name), part(oids.commonName, `${name} (Portico)`));
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + validYears);
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  // digitalSignature and nonRepudiation: what a document's signer has.
  const usage = sequence(oids.keyUsage, Buffer.from('0101ff', 'hex'), octets(Buffer.from('030206c0', 'hex')));
  const body = sequence(
    der(0xa0, version(2)),
    integer(serial),
    sequence(oids.ecdsaWithSha256),
    subject,
    sequence(time(now), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(usage)),
  );
  const signature = sign('sha256', body, privateKey);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: sequence(body, sequence(oids.ecdsaWithSha256), der(0x03, Buffer.from([0]), signature)),
  };
}

/** The issuer's name and the serial number of a certificate, as a signature names its signer by. */
function signerOf(certificate: Buffer): Buffer {
  const body = readValue(readValue(certificate).content).content;
  const first = readValue(body);
  const serial = readValue(body, first.end);
  const algorithm = readValue(body, serial.end);
  const issuer = readValue(body, algorithm.end);
  return sequence(body.subarray(algorithm.end, issuer.end), body.subarray(first.end, serial.end));
}

/** A detached signature over bytes: CMS SignedData (RFC 5652), as `openssl cms -verify` and PDF readers check it. */
export function signDetached(key: SigningKey, content: Buffer, at = new Date()): Buffer {
  const attribute = (kind: Buffer, value: Buffer) => sequence(kind, set(value));
  const attributes = [
    attribute(oids.contentType, oids.data),
    attribute(oids.signingTime, time(at)),
    attribute(oids.messageDigest, octets(sha256(content))),
    // Names the certificate by its hash (RFC 5035), so that no other can be put in its place.
    attribute(oids.signingCertificate, sequence(sequence(sequence(octets(sha256(key.certificate)))))),
  ].sort(Buffer.compare);
  const signature = sign('sha256', set(...attributes), createPrivateKey(key.privateKey));
  const signer = sequence(
    version(1),
    signerOf(key.certificate),
    sequence(oids.sha256),
    der(0xa0, ...attributes),
    sequence(oids.ecdsaWithSha256),
    octets(signature),
  );
  const signed = sequence(
    version(1),
    set(sequence(oids.sha256)),
    sequence(oids.data),
    der(0xa0, key.certificate),
    set(signer),
  );
  return sequence(oids.signedData, der(0xa0, signed));
}

/** The certificate's SHA-256, in pairs, as programs show it. */
export const fingerprint = (certificate: Buffer): string => new X509Certificate(certificate).fingerprint256;

export const certificatePem = (certificate: Buffer): string => new X509Certificate(certificate).toString();
