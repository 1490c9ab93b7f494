import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { LoadError } from '#db/load.ts';
import { AgeError, decryptAge, encryptAge } from '#lib/age.ts';
import type { Settings } from '../settings.ts';

/*
 * The files of an encrypted backup have a random passphrase of the backup, and its file key.age is encrypted with the operator's.
 * So the slow derivation runs once, and files of another backup do not open.
 */
export const keyFile = 'key.age';
const least = 12;

/** `work`: the binary logarithm of the cost to try the operator's passphrase, which key.age records. Tests shorten it. */
export const passphraseCost = { work: 18 };

/** The passphrase of `--passphrase-file`, BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE; undefined without any. */
export function passphraseOf(
  settings: Pick<Settings, 'BACKUP_PASSPHRASE' | 'BACKUP_PASSPHRASE_FILE'>,
  file = settings.BACKUP_PASSPHRASE ? undefined : settings.BACKUP_PASSPHRASE_FILE,
): string | undefined {
  if (file === undefined) return settings.BACKUP_PASSPHRASE;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new LoadError(
      `The file of the passphrase cannot be read: ${file} (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  if (text.length < least) throw new LoadError(`The passphrase in ${file} must be at least ${least} characters`);
  return text;
}

/** Encrypts the files of a new backup. `key` is the content of its key.age. */
export function newCipher(passphrase: string) {
  const secret = randomBytes(32).toString('base64url');
  return {
    key: () => encryptAge(Readable.from([Buffer.from(secret)]), passphrase, passphraseCost.work),
    encrypt: (content: AsyncIterable<Buffer>) => encryptAge(content, secret, 1),
  };
}

/** Decrypts the files of a backup, from its key.age. */
export async function openCipher(key: AsyncIterable<Buffer>, passphrase: string | undefined) {
  if (passphrase === undefined)
    throw new LoadError('The backup is encrypted: set BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE or --passphrase-file');
  const secret = await Array.fromAsync(decryptAge(key, passphrase)).catch((error: unknown) => {
    if (!(error instanceof AgeError)) throw error;
    throw new LoadError(
      error.wrongPassphrase ? 'The passphrase of the backup is wrong' : `${keyFile}: ${error.message}`,
    );
  });
  return (file: string, content: AsyncIterable<Buffer>): Readable =>
    Readable.from(named(file, decryptAge(content, Buffer.concat(secret).toString())), { objectMode: false });
}

async function* named(file: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    if (!(error instanceof AgeError)) throw error;
    throw new LoadError(
      error.wrongPassphrase ? `${file} is not of this backup` : `${file} is not as it was backed up: ${error.message}`,
    );
  }
}
