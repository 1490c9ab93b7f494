import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { type CertifiedKey, certify, keyPem, keyUsage, newKey, organized } from './certificates.ts';
import { der, integer, octets, oid, readValue, sequence, set, time } from './der.ts';

/** A key that signs documents, and the certificate that goes with it. */
export type SigningKey = CertifiedKey;

const oids = {
  data: oid('2a864886f70d010701'),
  signedData: oid('2a864886f70d010702'),
  contentType: oid('2a864886f70d010903'),
  messageDigest: oid('2a864886f70d010904'),
  signingTime: oid('2a864886f70d010905'),
  signingCertificate: oid('2a864886f70d010910022f'),
  sha256: oid('608648016503040201'),
  ecdsaWithSha256: oid('2a8648ce3d040302'),
};
const version = (number: number): Buffer => integer(Buffer.from([number]));
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

const validYears = 20;

/** A new key on the curve P-256 with a certificate that it signed itself, for `name`. */
export function makeSigningKey(name: string, now = new Date()): SigningKey {
  const { privateKey, publicKey } = newKey();
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + validYears);
  const subject = organized(name, `${name} (Portico)`);
  // digitalSignature and nonRepudiation: what a document's signer has.
  const extensions = [keyUsage(0xc0, 6)];
  const content = { issuer: subject, subject, publicKey, from: now, until, extensions };
  return { privateKey: keyPem(privateKey), certificate: certify(content, privateKey) };
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
