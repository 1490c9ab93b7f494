import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

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
  /** A signature over a text, hex. */
  sign(text: string): string;
}

/** `key` is SECRET_KEY: at least 16 characters. */
export function createSecrets(key: string): Secrets {
  // As key objects: node takes five times as long for a key that it must first make of bytes.
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `portico ${purpose}`, 32)));
  const cipherKey = derive('encryption');
  const indexKey = derive('index');
  const signKey = derive('signature');
  const open = (text: string): string => {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  };
  const decrypt = (text: string): string => {
    try {
      return open(text);
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
        return open(text);
      } catch {
        return undefined;
      }
    },
    index: value => createHmac('sha256', indexKey).update(value).digest(),
    sign: text => createHmac('sha256', signKey).update(text).digest('hex'),
  };
}
