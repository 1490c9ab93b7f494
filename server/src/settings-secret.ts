import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** SECRET_KEY, or the key in the data folder, which is created at first use and readable only by its owner. */
export function secretKey(settings: { SECRET_KEY?: string | undefined; DATA_DIR: string }): string {
  if (settings.SECRET_KEY) return settings.SECRET_KEY;
  const file = path.join(settings.DATA_DIR, 'secret.key');
  if (!existsSync(file)) makeKey(file);
  return readFileSync(file, 'utf8').trim();
}

/** The existing key of the data folder; undefined before its creation. */
export function knownSecretKey(settings: { SECRET_KEY?: string | undefined; DATA_DIR: string }): string | undefined {
  return settings.SECRET_KEY || existsSync(path.join(settings.DATA_DIR, 'secret.key'))
    ? secretKey(settings)
    : undefined;
}

/** The key before this one, while SECRET_KEY is rotated: SECRET_KEY_PREVIOUS or the file secret.key.previous. */
export function previousSecretKey(settings: {
  SECRET_KEY_PREVIOUS?: string | undefined;
  DATA_DIR: string;
}): string | undefined {
  if (settings.SECRET_KEY_PREVIOUS) return settings.SECRET_KEY_PREVIOUS;
  const file = path.join(settings.DATA_DIR, 'secret.key.previous');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function makeKey(file: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`SECRET_KEY must be set: none can be created in ${path.dirname(file)} (${code})`, { cause: error });
  }
  try {
    // link() is atomic and never replaces the key of a faster process.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
