import { createPrivateKey, KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import type * as Asn1 from 'asn1js';
import type * as Pki from 'pkijs';

/** A private key and its certificate. */
export interface CertifiedKey {
  /** PKCS#8, PEM. */
  readonly privateKey: string;
  /** X.509, DER. */
  readonly certificate: Buffer;
}

/** The libraries for X.509, CMS and time stamps. They cost 20 MB, so a process loads them at first use. */
export async function loadPki(): Promise<{ asn1: typeof Asn1; pki: typeof Pki }> {
  const [asn1, pki] = await Promise.all([import('asn1js'), import('pkijs')]);
  return { asn1, pki };
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
/** A private key in the form that the libraries sign with. */
export function importKey(privateKeyPem: string): Promise<CryptoKey> {
  const pkcs8 = createPrivateKey(privateKeyPem).export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), curve, false, ['sign']);
}

const oids = {
  organization: '2.5.4.10',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyId: '2.5.29.14',
  authorityKeyId: '2.5.29.35',
  alternativeName: '2.5.29.17',
};
const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };
const maxNameLength = 64;
const dayMs = 86_400_000;
const validYears = 20;

type Libraries = Awaited<ReturnType<typeof loadPki>>;
interface Encodable {
  toSchema(): Asn1.BaseBlock;
}

/** The bits of RFC 5280, section 4.2.1.3; the first one is the highest. The last `unused` of eight are not part of the value. */
interface KeyUsage {
  readonly bits: number;
  readonly unused: number;
}
const usages = {
  /** keyCertSign and cRLSign. */
  authority: { bits: 0x06, unused: 1 },
  /** digitalSignature. */
  connection: { bits: 0x80, unused: 7 },
  /** digitalSignature and nonRepudiation. */
  document: { bits: 0xc0, unused: 6 },
} satisfies Record<string, KeyUsage>;

/** The extensions of a certificate, in the libraries' form. */
const extensionsWith = ({ asn1, pki }: Libraries) => {
  const extension = (extnID: string, critical: boolean, value: Asn1.BaseBlock) =>
    new pki.Extension({ extnID, critical, extnValue: value.toBER() });
  const of = (value: Encodable) => value.toSchema();
  return {
    constraints: (value: { cA?: boolean; pathLenConstraint?: number }) =>
      extension(oids.basicConstraints, true, of(new pki.BasicConstraints(value))),
    usage: ({ bits, unused }: KeyUsage) =>
      extension(
        oids.keyUsage,
        true,
        new asn1.BitString({ valueHex: new Uint8Array([bits]).buffer, unusedBits: unused }),
      ),
    purpose: (purpose: keyof typeof purposes) =>
      extension(oids.extendedKeyUsage, false, of(new pki.ExtKeyUsage({ keyPurposes: [purposes[purpose]] }))),
    keyId: (id: ArrayBuffer) => extension(oids.subjectKeyId, false, new asn1.OctetString({ valueHex: id })),
    authorityKeyId: (id: ArrayBuffer) =>
      extension(
        oids.authorityKeyId,
        false,
        of(new pki.AuthorityKeyIdentifier({ keyIdentifier: new asn1.OctetString({ valueHex: id }) })),
      ),
    hosts: (hosts: readonly string[]) =>
      extension(
        oids.alternativeName,
        false,
        of(
          new pki.GeneralNames({
            names: hosts.map(host =>
              isIP(host)
                ? new pki.GeneralName({ type: 7, value: new asn1.OctetString({ valueHex: addressBytes(host) }) })
                : new pki.GeneralName({ type: 2, value: host }),
            ),
          }),
        ),
      ),
  };
};

function addressBytes(address: string): ArrayBuffer {
  if (isIPv4(address)) return new Uint8Array(address.split('.').map(Number)).buffer;
  // The URL parser writes an address in its shortest form: at most one run of zeros is left out.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (side: string | undefined) => (side ? side.split(':') : []);
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const numbers = [...first, ...zeros, ...last].map(group => Number.parseInt(group, 16));
  return new Uint8Array(numbers.flatMap(number => [number >> 8, number & 0xff])).buffer;
}

/** The name of an organization and, in it, a common name. */
function nameWith({ asn1, pki }: Libraries, organization: string, commonName: string): Pki.RelativeDistinguishedNames {
  const part = (type: string, value: string) =>
    new pki.AttributeTypeAndValue({
      type,
      value: new asn1.Utf8String({ value: [...value].slice(0, maxNameLength).join('') }),
    });
  // Built by hand, because the library writes all parts of a name into one set.
  const parts = [part(oids.organization, organization), part(oids.commonName, commonName)];
  const name = new asn1.Sequence({ value: parts.map(one => new asn1.Set({ value: [one.toSchema()] })) });
  return pki.RelativeDistinguishedNames.fromBER(name.toBER());
}

const keyIdOf = ({ subjectPublicKeyInfo }: Pki.Certificate): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-1', subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView.slice());

/** RFC 5280, section 4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
export const timeWith = ({ pki }: Libraries, value: Date): Pki.Time =>
  new pki.Time({ type: value.getUTCFullYear() < 2050 ? pki.TimeType.UTCTime : pki.TimeType.GeneralizedTime, value });

interface Draft {
  readonly subject: Pki.RelativeDistinguishedNames;
  readonly publicKey: CryptoKey;
  readonly from: Date;
  readonly until: Date;
}

/** A certificate that is complete but for its issuer and its extensions. */
async function draftCertificate(libraries: Libraries, { subject, publicKey, from, until }: Draft) {
  const { asn1, pki } = libraries;
  const serial = randomBytes(16);
  // Positive, and not one byte shorter.
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const certificate = new pki.Certificate({
    version: 2,
    serialNumber: new asn1.Integer({ valueHex: new Uint8Array(serial).buffer }),
    subject,
    notBefore: timeWith(libraries, from),
    notAfter: timeWith(libraries, until),
    extensions: [],
  });
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  return certificate;
}

async function signed(certificate: Pki.Certificate, signer: CryptoKey, own: CryptoKey): Promise<CertifiedKey> {
  await certificate.sign(signer, 'SHA-256');
  const privateKey = KeyObject.from(own).export({ type: 'pkcs8', format: 'pem' }) as string;
  return { privateKey, certificate: Buffer.from(certificate.toSchema(true).toBER()) };
}

const newKey = () => crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
// Routers that were just switched on have clocks that are behind.
const dayBefore = (now: Date): Date => new Date(now.getTime() - dayMs);

function yearsAfter(now: Date, years: number): Date {
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + years);
  return until;
}

/** An authority that signs certificates of devices and servers, and no other authority. */
export async function makeAuthority(name: string, now = new Date()): Promise<CertifiedKey> {
  const libraries = await loadPki();
  const { privateKey, publicKey } = await newKey();
  const subject = nameWith(libraries, name, `${name} RADIUS CA`);
  const [from, until] = [dayBefore(now), yearsAfter(now, validYears)];
  const certificate = await draftCertificate(libraries, { subject, publicKey, from, until });
  const extension = extensionsWith(libraries);
  certificate.issuer = subject;
  certificate.extensions = [
    extension.constraints({ cA: true, pathLenConstraint: 0 }),
    extension.usage(usages.authority),
    extension.keyId(await keyIdOf(certificate)),
  ];
  return signed(certificate, privateKey, privateKey);
}

/** A new key with a self-signed certificate for signing documents. */
export async function makeSigningKey(name: string, now = new Date()): Promise<CertifiedKey> {
  const libraries = await loadPki();
  const { privateKey, publicKey } = await newKey();
  const subject = nameWith(libraries, name, `${name} (Portico)`);
  const until = yearsAfter(now, validYears);
  const certificate = await draftCertificate(libraries, { subject, publicKey, from: now, until });
  certificate.issuer = subject;
  certificate.extensions = [extensionsWith(libraries).usage(usages.document)];
  return signed(certificate, privateKey, privateKey);
}

export interface CertificateRequest {
  readonly purpose: keyof typeof purposes;
  readonly organization: string;
  readonly commonName: string;
  /** Names or addresses of a server. */
  readonly hosts?: readonly string[];
  readonly until: Date;
}

/** A new key with a certificate signed by the authority. */
export async function issue(
  authority: CertifiedKey,
  { purpose, organization, commonName, hosts = [], until }: CertificateRequest,
  now = new Date(),
): Promise<CertifiedKey> {
  const libraries = await loadPki();
  const { privateKey, publicKey } = await newKey();
  const issuer = libraries.pki.Certificate.fromBER(new Uint8Array(authority.certificate));
  const subject = nameWith(libraries, organization, commonName);
  const certificate = await draftCertificate(libraries, { subject, publicKey, from: dayBefore(now), until });
  const extension = extensionsWith(libraries);
  certificate.issuer = issuer.subject;
  certificate.extensions = [
    extension.constraints({}),
    extension.usage(usages.connection),
    extension.purpose(purpose),
    extension.keyId(await keyIdOf(certificate)),
    extension.authorityKeyId(await keyIdOf(issuer)),
    ...(hosts.length > 0 ? [extension.hosts(hosts)] : []),
  ];
  return signed(certificate, await importKey(authority.privateKey), privateKey);
}

/** The certificate's SHA-256 in pairs of digits, as programs show it. */
export const fingerprint = (certificate: Buffer): string => new X509Certificate(certificate).fingerprint256;

export const certificatePem = (certificate: Buffer): string => new X509Certificate(certificate).toString();
