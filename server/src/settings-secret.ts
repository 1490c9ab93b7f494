import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** SECRET_KEY, or else the key kept in the data folder, which is made on first use and readable only by us. */
export function secretKey(settings: { SECRET_KEY?: string | undefined; DATA_DIR: string }): string {
  if (settings.SECRET_KEY) return settings.SECRET_KEY;
  const file = path.join(settings.DATA_DIR, 'secret.key');
  if (!existsSync(file)) makeKey(file);
  return readFileSync(file, 'utf8').trim();
}

/** The key that was used in the data folder so far; undefined when there is none yet. */
export function knownSecretKey(settings: { SECRET_KEY?: string | undefined; DATA_DIR: string }): string | undefined {
  return settings.SECRET_KEY || existsSync(path.join(settings.DATA_DIR, 'secret.key'))
    ? secretKey(settings)
    : undefined;
}

function makeKey(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // A link appears whole or not at all, and never replaces the key of a process that was a moment faster.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
