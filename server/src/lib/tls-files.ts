import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from '../settings.ts';

/** The text of a file that a setting names. Throws SettingsError, like the other functions here. */
export function readNamed(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError(`${name} must be a file that can be read`);
  }
}

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** The certificate and its key from the files that two settings name. Both must belong together. */
export function readPair(
  cert: { readonly name: string; readonly file: string },
  key: { readonly name: string; readonly file: string },
): Pair {
  const pair = { cert: readNamed(cert.name, cert.file), key: readNamed(key.name, key.file) };
  checkPem(cert.name, `must be a certificate in PEM that goes with ${key.name}`, () => createSecureContext(pair));
  return pair;
}

export function checkPem(name: string, must: string, use: () => unknown): void {
  try {
    use();
  } catch {
    throw new SettingsError(`${name} ${must}`);
  }
}
