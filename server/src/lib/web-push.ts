import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto';

// Messages to browsers through the push service of their vendor (RFC 8030). It cannot read them (RFC 8291), and knows us by a
// key (VAPID, RFC 8292).

const curve = 'prime256v1';
const pointBytes = 65;
/** No push service must accept more in one record. */
const recordBytes = 4096;
/** Header, tag and the byte that ends the text. */
const maxTextBytes = recordBytes - (16 + 4 + 1 + pointBytes) - 16 - 1;
const validSeconds = 12 * 3600;

/** A subscription of a browser: the address to send to, and the keys to encrypt with. The keys are base64url. */
export interface PushSubscriber {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A key pair by which push services know the sender: the public point (base64url) and the private key (JWK as JSON). */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function makeVapidKeys(): VapidKeys {
  const jwk = generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ format: 'jwk' });
  const point = [jwk.x, jwk.y].map(it => Buffer.from(it ?? '', 'base64url'));
  return {
    publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url'),
    privateKey: JSON.stringify(jwk),
  };
}

/** Whether this is a point of the curve. With any other one nothing could be encrypted. */
export function isPoint(base64url: string): boolean {
  const bytes = Buffer.from(base64url, 'base64url');
  if (bytes.length !== pointBytes) return false;
  try {
    const own = createECDH(curve);
    own.generateKeys();
    own.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The proof of the sender for one push service: a JWT with ES256. `subject`: where its operator can reach us. */
export function vapidHeader({ publicKey, privateKey }: VapidKeys, endpoint: string, subject: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + validSeconds;
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp, sub: subject })}`;
  const key = createPrivateKey({ key: JSON.parse(privateKey) as JsonWebKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

function newKey() {
  const key = createECDH(curve);
  key.generateKeys();
  return key;
}

/** Encrypts a text for one browser (`aes128gcm`, RFC 8188). Each message has a salt and a key of its own; tests give both. */
export function encryptPush(
  text: string,
  { keys }: PushSubscriber,
  { salt, key }: { salt: Buffer; key: ReturnType<typeof createECDH> } = { salt: randomBytes(16), key: newKey() },
): Buffer {
  const plain = Buffer.from(text);
  if (plain.length > maxTextBytes) throw new RangeError(`a message has at most ${maxTextBytes} bytes`);
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, key.getPublicKey()]);
  const secret = derive(key.computeSecret(browser), Buffer.from(keys.auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordBytes);
  // The byte 2 ends the text of the last record.
  const body = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, Buffer.from([pointBytes]), key.getPublicKey(), ...body]);
}
