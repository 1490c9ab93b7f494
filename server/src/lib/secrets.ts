import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** A stored secret was changed, or encrypted under another SECRET_KEY, as after a restore without the key. */
export class UnreadableSecret extends Error {
  constructor(cause: unknown) {
    super('what is kept here cannot be read: it was stored under another SECRET_KEY', { cause });
  }
}

/** Encrypts values at rest, and finds them again by a keyed hash. */
export interface Secrets {
  /** AES-256-GCM; the result is text and differs at every call. */
  encrypt(plain: string): string;
  /** Undoes encrypt; throws UnreadableSecret when the text was changed or made under another key. */
  decrypt(text: string): string;
  /** As decrypt, but returns undefined instead of throwing. */
  read(text: string): string | undefined;
  /** A keyed hash that equals for equal values: for looking up what is encrypted. */
  index(value: string): Buffer;
  /** A signature over a text, hex. It stays the same when SECRET_KEY is rotated: for what is kept or printed. */
  sign(text: string): string;
  /** As sign, but another one after a rotation: for links and forms that live for hours. */
  signBriefly(text: string): string;
}

/** The keys of hashes and lasting signatures, base64. */
export interface HashKeys {
  readonly index: string;
  readonly signature: string;
}

/** What `createSecrets` knows besides the key that encrypts. */
export interface OtherKeys {
  /** The key before or after this one, which also decrypts. */
  readonly other?: string | undefined;
  /** Those of the first key, once SECRET_KEY was rotated. */
  readonly hashKeys?: HashKeys | undefined;
}

const derive = (key: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `portico ${purpose}`, 32));

/** The keys of hashes and lasting signatures of an installation whose SECRET_KEY was never rotated. */
export const hashKeysOf = (key: string): HashKeys => ({
  index: derive(key, 'index').toString('base64'),
  signature: derive(key, 'signature').toString('base64'),
});

function open(cipherKey: KeyObject, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** `key` is SECRET_KEY: at least 16 characters. */
export function createSecrets(key: string, { other, hashKeys = hashKeysOf(key) }: OtherKeys = {}): Secrets {
  // As key objects: node takes five times as long for a key that it must first make of bytes.
  const cipherKey = createSecretKey(derive(key, 'encryption'));
  const otherKey = other === undefined ? undefined : createSecretKey(derive(other, 'encryption'));
  const indexKey = createSecretKey(Buffer.from(hashKeys.index, 'base64'));
  const signKey = createSecretKey(Buffer.from(hashKeys.signature, 'base64'));
  const briefKey = createSecretKey(derive(key, 'signature'));
  const decrypt = (text: string): string => {
    try {
      return open(cipherKey, text);
    } catch (error) {
      if (!otherKey) throw new UnreadableSecret(error);
    }
    try {
      return open(otherKey, text);
    } catch (error) {
      throw new UnreadableSecret(error);
    }
  };
  return {
    encrypt(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt,
    read(text) {
      try {
        return decrypt(text);
      } catch {
        return undefined;
      }
    },
    index: value => createHmac('sha256', indexKey).update(value).digest(),
    sign: text => createHmac('sha256', signKey).update(text).digest('hex'),
    signBriefly: text => createHmac('sha256', briefKey).update(text).digest('hex'),
  };
}
