import { createHash } from 'node:crypto';
import type * as Asn1 from 'asn1js';
import { type CertifiedKey, importKey, loadPki, timeWith } from './certificates.ts';

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
};
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** A detached signature over bytes: CMS SignedData (RFC 5652), as `openssl cms -verify` and PDF readers check it. */
export async function signDetached(key: CertifiedKey, content: Uint8Array, at = new Date()): Promise<Buffer> {
  const libraries = await loadPki();
  const { asn1, pki } = libraries;
  const certificate = pki.Certificate.fromBER(new Uint8Array(key.certificate));
  const octets = (bytes: Buffer) => new asn1.OctetString({ valueHex: new Uint8Array(bytes).buffer });
  const sequence = (value: Asn1.BaseBlock) => new asn1.Sequence({ value: [value] });
  const attribute = (type: string, value: Asn1.BaseBlock) => new pki.Attribute({ type, values: [value] });
  const bytesOf = (one: InstanceType<typeof pki.Attribute>) => Buffer.from(one.toSchema().toBER());
  const attributes = [
    attribute(oids.contentType, new asn1.ObjectIdentifier({ value: oids.data })),
    attribute(oids.signingTime, timeWith(libraries, at).toSchema()),
    attribute(oids.messageDigest, octets(sha256(content))),
    // Names the certificate by its hash (RFC 5035), so that no other one can take its place.
    attribute(oids.signingCertificate, sequence(sequence(sequence(octets(sha256(key.certificate)))))),
    // DER sorts the members of a set by their bytes. The library keeps the order that it is given.
  ].sort((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)));
  const signedData = new pki.SignedData({
    version: 1,
    encapContentInfo: new pki.EncapsulatedContentInfo({ eContentType: oids.data }),
    certificates: [certificate],
    signerInfos: [
      new pki.SignerInfo({
        version: 1,
        sid: new pki.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new pki.SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
  });
  await signedData.sign(await importKey(key.privateKey), 0, 'SHA-256');
  const message = new pki.ContentInfo({ contentType: oids.signedData, content: signedData.toSchema(true) });
  return Buffer.from(message.toSchema().toBER());
}
