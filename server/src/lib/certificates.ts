import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { bits, der, integer, octets, oid, readValue, sequence, set, text, time } from './der.ts';

/** A key and the certificate that goes with it. */
export interface CertifiedKey {
  /** PKCS#8, PEM. */
  readonly privateKey: string;
  /** X.509, DER. */
  readonly certificate: Buffer;
}

interface Content {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly from: Date;
  readonly until: Date;
  readonly extensions: readonly Buffer[];
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const purposes = { server: oid('2b06010505070301'), client: oid('2b06010505070302') };
const part = (kind: string, value: string): Buffer => set(sequence(oid(kind), text(value.slice(0, 64))));

/** A name of an organization and, in it, a common name. */
export const organized = (organization: string, commonName: string): Buffer =>
  sequence(part('55040a', organization), part('550403', commonName));

/** A new key on the curve P-256. */
export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

const extension = (kind: string, value: Buffer): Buffer => sequence(oid(kind), octets(value));
const critical = (kind: string, value: Buffer): Buffer =>
  sequence(oid(kind), Buffer.from('0101ff', 'hex'), octets(value));

/** What a key is for: bits of RFC 5280, section 4.2.1.3, the first of them the highest; the last `unused` of eight are none. */
export const keyUsage = (flags: number, unused: number): Buffer =>
  critical('551d0f', bits(Buffer.from([flags]), unused));

/** An X.509 certificate (RFC 5280), DER, signed with a key on the curve P-256. */
export function certify(it: Content, signer: KeyObject): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    it.issuer,
    sequence(time(it.from), time(it.until)),
    it.subject,
    it.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...it.extensions)),
  );
  return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, signer)));
}

/** The id of a key: SHA-1 of its bits, which are the end of its description (RFC 5280, section 4.2.1.2). */
function keyId(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

const dayMs = 86_400_000;
const validYears = 20;
// Clocks of routers that were just switched on are behind.
const earlier = (now: Date): Date => new Date(now.getTime() - dayMs);

/** An authority that signs certificates of devices and servers, and no other authority. */
export function makeAuthority(name: string, now = new Date()): CertifiedKey {
  const { privateKey, publicKey } = newKey();
  const subject = organized(name, `${name} RADIUS CA`);
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + validYears);
  const extensions = [
    critical('551d13', sequence(Buffer.from('0101ff', 'hex'), integer(Buffer.from([0])))),
    // keyCertSign and cRLSign.
    keyUsage(0x06, 1),
    extension('551d0e', octets(keyId(publicKey))),
  ];
  const content = { issuer: subject, subject, publicKey, from: earlier(now), until, extensions };
  return { privateKey: keyPem(privateKey), certificate: certify(content, privateKey) };
}

/** The name in a certificate that signed itself. */
function nameOf(certificate: Buffer): Buffer {
  const body = readValue(readValue(certificate).content).content;
  let at = 0;
  // Version, serial number and algorithm come before it.
  for (let i = 0; i < 3; i++) at = readValue(body, at).end;
  return body.subarray(at, readValue(body, at).end);
}

const alternative = (host: string): Buffer => {
  if (!isIP(host)) return der(0x82, Buffer.from(host));
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)));
  return der(0x87, bytesOfIPv6(host));
};

function bytesOfIPv6(address: string): Buffer {
  // The one way to write an address in which nothing is left out but one run of zeros.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (side: string | undefined) => (side ? side.split(':') : []);
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...zeros, ...last].map(group => group.padStart(4, '0')).join(''), 'hex');
}

export interface Wanted {
  readonly purpose: keyof typeof purposes;
  readonly organization: string;
  readonly commonName: string;
  /** Names or addresses by which others reach it. */
  readonly hosts?: readonly string[];
  readonly until: Date;
}

/** A new key with a certificate that the authority signed. */
export function issue(authority: CertifiedKey, wanted: Wanted, now = new Date()): CertifiedKey {
  const { privateKey, publicKey } = newKey();
  const signer = createPrivateKey(authority.privateKey);
  const { purpose, organization, commonName, hosts = [], until } = wanted;
  const extensions = [
    critical('551d13', sequence()),
    // digitalSignature.
    keyUsage(0x80, 7),
    extension('551d25', sequence(purposes[purpose])),
    extension('551d0e', octets(keyId(publicKey))),
    extension('551d23', sequence(der(0x80, keyId(createPublicKey(signer))))),
    ...(hosts.length ? [extension('551d11', sequence(...hosts.map(alternative)))] : []),
  ];
  const content = {
    issuer: nameOf(authority.certificate),
    subject: organized(organization, commonName),
    publicKey,
    from: earlier(now),
    until,
    extensions,
  };
  return { privateKey: keyPem(privateKey), certificate: certify(content, signer) };
}
