import { Readable } from 'node:stream';
import { Decrypter, Encrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { AgeError, decryptAge, encryptAge } from './age.ts';

const passphrase = 'dört kelime, bir parola';
const chunk = 65_536;
const sizes = [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 17];
const content = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, n) => (n * 7919) % 251));
/** Arrives in parts of an odd size, as from a network. */
const inParts = (bytes: Buffer, size = 10_007): AsyncIterable<Buffer> =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
  );
const collect = async (parts: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(parts));
const encrypt = (bytes: Buffer, work = 4): Promise<Buffer> => collect(encryptAge(inParts(bytes), passphrase, work));
const decrypt = (bytes: Buffer, by = passphrase): Promise<Buffer> => collect(decryptAge(inParts(bytes), by));

test.each(sizes)('the library of age opens what is encrypted here, and the reverse: %i bytes', async size => {
  const plain = content(size);
  const encrypted = await encrypt(plain);
  const theirs = new Decrypter();
  theirs.addPassphrase(passphrase);
  expect(Buffer.from(await theirs.decrypt(encrypted)).equals(plain)).toBe(true);
  expect((await decrypt(encrypted)).equals(plain)).toBe(true);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(4);
  expect((await decrypt(Buffer.from(await encrypter.encrypt(plain)))).equals(plain)).toBe(true);
});

test.each([1, 18])('the work factors of backups work: %i', async work => {
  expect((await decrypt(await encrypt(content(10), work))).equals(content(10))).toBe(true);
});

test('a wrong passphrase is told from a changed file', async () => {
  const encrypted = await encrypt(content(100));
  await expect(decrypt(encrypted, 'another')).rejects.toMatchObject({ wrongPassphrase: true });
  for (const not of [Buffer.from('a file'), Buffer.alloc(5000), Buffer.alloc(0), content(100)])
    await expect(decrypt(not)).rejects.toThrow('it is not encrypted with a passphrase');
});

test('a changed byte, a missing end, and chunks in another order are refused', async () => {
  const plain = content(3 * chunk + 17);
  const encrypted = await encrypt(plain);
  const body = encrypted.length - (plain.length + 4 * 16);
  const at = (number: number) => body + number * (chunk + 16);
  const refused = async (bytes: Buffer, what: string) =>
    expect(
      await decrypt(bytes).then(
        () => 'opened',
        error => (error instanceof AgeError ? 'refused' : error),
      ),
      what,
    ).toBe('refused');
  // Each byte of the header and of the nonce, and one of each chunk, of each tag.
  for (let byte = 0; byte < body; byte++) {
    const broken = Buffer.from(encrypted);
    broken[byte]! ^= 1;
    await refused(broken, `byte ${byte}`);
  }
  for (const byte of [0, 1, 2, 3].flatMap(n => [at(n), Math.min(at(n + 1), encrypted.length) - 1])) {
    const broken = Buffer.from(encrypted);
    broken[byte]! ^= 128;
    await refused(broken, `byte ${byte}`);
  }
  for (const length of [20, body - 1, body, at(1), at(2), at(2) + 100, at(3), encrypted.length - 1])
    await refused(encrypted.subarray(0, length), `${length} bytes`);
  const pieces = [0, 1, 2, 3].map(n => encrypted.subarray(at(n), at(n + 1)));
  const head = encrypted.subarray(0, body);
  for (const order of [
    [1, 0, 2, 3],
    [0, 2, 3],
    [0, 1, 1, 2, 3],
    [0, 1, 2, 3, 3],
  ])
    await refused(Buffer.concat([head, ...order.map(n => pieces[n]!)]), order.join());
  // The content of another file under this header.
  const other = await encrypt(content(chunk));
  await refused(Buffer.concat([head, other.subarray(other.length - chunk - 16)]), 'another file');
});

test('a file cannot ask for more memory than the machine has', async () => {
  const encrypted = (await encrypt(content(1))).toString('latin1').replace(/ 4\n/, ' 21\n');
  await expect(decrypt(Buffer.from(encrypted, 'latin1'))).rejects.toThrow('it is not encrypted with a passphrase');
});
