import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';

/*
 * Files in the format of age (age-encryption.org/v1) with a passphrase, so that they open without Portico too. The header is
 * authenticated. The content is in chunks, each authenticated with its number, and the last one says that it is the last.
 * The library `age-encryption` encrypts 16 MB a second and blocks the process meanwhile; this uses OpenSSL. See decision 117.
 */

/** The file cannot be decrypted. The message is one line without a name; `wrongPassphrase` or changed, or cut off. */
export class AgeError extends Error {
  readonly wrongPassphrase: boolean;
  constructor(message: string, wrongPassphrase = false) {
    super(message);
    this.wrongPassphrase = wrongPassphrase;
  }
}

const chunkBytes = 64 * 1024;
const tagBytes = 16;
/** Above it the file could be made to take the memory of the machine. */
const largestWork = 20;
const largestHeader = 1024;
const changed = () => new AgeError('it was changed or cut off after it was encrypted');

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
/** Undefined unless the text is the only one for these bytes. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return base64(bytes) === text ? bytes : undefined;
}
const derive = (key: Buffer, salt: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, salt, use, 32));
const macOf = (fileKey: Buffer, text: string): Buffer =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(text)
    .digest();

/** Runs beside the event loop. */
function wrappingKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** work, r: 8, p: 1, maxmem: 2 ** (work + 11) + 65_536 };
  const salted = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  return new Promise((resolve, reject) =>
    scrypt(passphrase, salted, 32, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plain = decipher.update(sealed.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plain;
}

function chunkNonce(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

/** `work`: the binary logarithm of the cost to try a passphrase. 18 for one that a person chose, 1 for a random one. */
export async function* encryptAge(source: AsyncIterable<Buffer>, passphrase: string, work: number) {
  const [fileKey, salt, nonce] = [randomBytes(16), randomBytes(16), randomBytes(16)];
  const wrapped = seal(await wrappingKey(passphrase, salt, work), Buffer.alloc(12), fileKey);
  const header = `age-encryption.org/v1\n-> scrypt ${base64(salt)} ${work}\n${base64(wrapped)}\n---`;
  yield Buffer.concat([Buffer.from(`${header} ${base64(macOf(fileKey, header))}\n`), nonce]);
  const key = derive(fileKey, nonce, 'payload');
  let number = 0;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const part of source) {
    waiting = waiting.length ? Buffer.concat([waiting, part]) : part;
    for (; waiting.length > chunkBytes; waiting = waiting.subarray(chunkBytes))
      yield seal(key, chunkNonce(number++, false), waiting.subarray(0, chunkBytes));
  }
  yield seal(key, chunkNonce(number, true), waiting);
}

/** Yields only what is authentic. Throws an AgeError at the first byte that is not, or when the end is missing. */
export async function* decryptAge(source: AsyncIterable<Buffer>, passphrase: string) {
  const parts = source[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await parts.next();
    if (done) return false;
    waiting = waiting.length ? Buffer.concat([waiting, value]) : value;
    return true;
  };
  try {
    let end: number;
    while ((end = endOfHeader(waiting)) < 0)
      if (waiting.length > largestHeader || !(await more()))
        throw new AgeError('it is not encrypted with a passphrase');
    const fileKey = await openHeader(waiting.subarray(0, end).toString('latin1'), passphrase);
    while (waiting.length < end + 16) if (!(await more())) throw changed();
    const key = derive(fileKey, waiting.subarray(end, end + 16), 'payload');
    waiting = waiting.subarray(end + 16);
    const sealedBytes = chunkBytes + tagBytes;
    let number = 0;
    const open = (sealed: Buffer, last: boolean): Buffer => {
      const plain = unseal(key, chunkNonce(number++, last), sealed);
      if (!plain || (last && plain.length === 0 && number > 1)) throw changed();
      return plain;
    };
    do
      for (; waiting.length > sealedBytes; waiting = waiting.subarray(sealedBytes))
        yield open(waiting.subarray(0, sealedBytes), false);
    while (await more());
    yield open(waiting, true);
  } finally {
    await parts.return?.();
  }
}

/** The number of bytes of a complete header; -1 until it is complete. */
function endOfHeader(bytes: Buffer): number {
  const last = bytes.indexOf('\n---');
  return last < 0 ? -1 : bytes.indexOf('\n', last + 1) + 1 || -1;
}

async function openHeader(text: string, passphrase: string): Promise<Buffer> {
  const read = /^(age-encryption\.org\/v1\n-> scrypt (\S{22}) ([1-9]\d?)\n(\S{43})\n---) (\S{43})\n$/.exec(text);
  const [, header = '', saltText = '', work = '', wrappedText = '', macText = ''] = read ?? [];
  const [salt, wrapped, mac] = [saltText, wrappedText, macText].map(fromBase64);
  if (!read || !salt || !wrapped || !mac || Number(work) > largestWork)
    throw new AgeError('it is not encrypted with a passphrase');
  const fileKey = unseal(await wrappingKey(passphrase, salt, Number(work)), Buffer.alloc(12), wrapped);
  if (!fileKey) throw new AgeError('the passphrase is wrong', true);
  if (!timingSafeEqual(macOf(fileKey, header), mac)) throw changed();
  return fileKey;
}
