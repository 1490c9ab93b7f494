import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A stored secret was changed, or encrypted with another SECRET_KEY, for example before a restore without its key. */
export class UnreadableSecret extends Error {
  constructor(cause: unknown) {
    super('A stored secret cannot be decrypted: it was encrypted with another SECRET_KEY', { cause });
  }
}

/** Encrypts stored values. A keyed hash finds them again. */
export interface Secrets {
  /** AES-256-GCM; the result is text and differs at every call. */
  encrypt(plain: string): string;
  /** Decrypts the result of encrypt; throws UnreadableSecret if it was changed or encrypted with another key. */
  decrypt(text: string): string;
  /** Like decrypt, but returns undefined instead of throwing. */
  read(text: string): string | undefined;
  /** A keyed hash, equal for equal values, to look up encrypted values. */
  index(value: string): Buffer;
  /** The signature of a text, hex. It survives a rotation of SECRET_KEY, so it may be stored or printed. */
  sign(text: string): string;
  /** Like sign, but a rotation of SECRET_KEY ends it. For links and forms that live for hours. */
  signBriefly(text: string): string;
  /** The keys of one tenant, which it takes along when it moves to another installation. */
  ofTenant(tenantId: string): TenantSecrets;
}

/** Hashes and signatures of one tenant that stay valid when it moves, for what is printed, stored or kept by browsers. */
export interface TenantSecrets {
  index(value: string): Buffer;
  sign(text: string): string;
  readonly keys: HashKeys;
}

/** The keys of hashes and lasting signatures, base64. */
export interface HashKeys {
  readonly index: string;
  readonly signature: string;
}

/** The keys of `createSecrets` besides the one that encrypts. */
export interface OtherKeys {
  /** The key before or after this one, which also decrypts. */
  readonly other?: string | undefined;
  /** The hash keys of the first SECRET_KEY, if it was rotated. */
  readonly hashKeys?: HashKeys | undefined;
  /** The keys of tenants that came from another installation, by id. May be filled later. */
  readonly tenants?: ReadonlyMap<string, HashKeys> | undefined;
}

const derive = (key: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `portico ${purpose}`, 32));

/** The keys of hashes and lasting signatures of an installation whose SECRET_KEY was never rotated. */
export const hashKeysOf = (key: string): HashKeys => ({
  index: derive(key, 'index').toString('base64'),
  signature: derive(key, 'signature').toString('base64'),
});

/** The keys of a tenant. They do not tell those of the installation, nor of another tenant. */
const keysOfTenant = (keys: HashKeys, tenantId: string): HashKeys => ({
  index: derive(keys.index, `index of ${tenantId}`).toString('base64'),
  signature: derive(keys.signature, `signature of ${tenantId}`).toString('base64'),
});

const hash = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const keyOf = (base64: string): KeyObject => createSecretKey(Buffer.from(base64, 'base64'));

function open(cipherKey: KeyObject, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** `key` is SECRET_KEY: at least 16 characters. */
export function createSecrets(key: string, { other, hashKeys = hashKeysOf(key), tenants }: OtherKeys = {}): Secrets {
  // Key objects, because Node takes five times as long with a key given as bytes.
  const cipherKey = createSecretKey(derive(key, 'encryption'));
  const otherKey = other === undefined ? undefined : createSecretKey(derive(other, 'encryption'));
  const [indexKey, signKey] = [keyOf(hashKeys.index), keyOf(hashKeys.signature)];
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
    index: value => hash(indexKey, value),
    sign: text => hash(signKey, text).toString('hex'),
    signBriefly: text => hash(briefKey, text).toString('hex'),
    ofTenant(tenantId) {
      const keys = tenants?.get(tenantId) ?? keysOfTenant(hashKeys, tenantId);
      return {
        keys,
        index: value => hash(keyOf(keys.index), value),
        sign: text => hash(keyOf(keys.signature), text).toString('hex'),
      };
    },
  };
}

/** The hashes under which a tenant's value may be stored: its own, and before 0.6 that of the installation. */
export const hashesOf = (secrets: Secrets, tenantId: string, value: string): Buffer[] => [
  secrets.ofTenant(tenantId).index(value),
  secrets.index(value),
];

/** The hexadecimal digits of a whole signature. */
const allDigits = 64;

/** The first digits of a tenant's signature, for addresses and codes that must be short. */
export const signFor = (secrets: Secrets, tenantId: string, text: string, digits = allDigits): string =>
  secrets.ofTenant(tenantId).sign(text).slice(0, digits);

/** Whether `given` is what `signFor` returns, or the signature of the installation, which signed for all tenants before 0.6. */
export function isSignedFor(
  secrets: Secrets,
  tenantId: string,
  text: string,
  given: string,
  digits = allDigits,
): boolean {
  const bytes = Buffer.from(given);
  return [secrets.ofTenant(tenantId), secrets].some(it => {
    const expected = Buffer.from(it.sign(text).slice(0, digits));
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}
