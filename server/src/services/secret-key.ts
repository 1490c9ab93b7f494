import type { Database } from '#db/tenant.ts';
import { createSecrets } from '#lib/secrets.ts';
import type { Settings } from '../settings.ts';
import { knownSecretKey, secretKey } from '../settings-secret.ts';
import { noteKey, readInstallation, replaceKey } from './installation.queries.ts';

/** Tells keys apart and reveals nothing about them. */
export const fingerprint = (key: string): string => createSecrets(key).sign('portico key fingerprint').slice(0, 16);

const remedy =
  'Put the right key back. If it is lost, "portico secret accept" accepts this one; what the old key encrypted must then be entered again';

/**
 * The key of this installation. Throws if the database belongs to another key: the product would start, and devices,
 * integrations and identities could not be read.
 */
export async function requireKey(db: Pick<Database, 'withSystem'>, settings: Settings): Promise<string> {
  const { key_fingerprint: stored } = await db.withSystem(readInstallation);
  // A key must not be created for a database that has one.
  if (stored && knownSecretKey(settings) === undefined)
    throw new Error(
      `SECRET_KEY is missing: the database was encrypted with a key that is neither set nor in ${settings.DATA_DIR}. ${remedy}`,
    );
  const key = secretKey(settings);
  const own = fingerprint(key);
  if (!stored) await db.withSystem(tx => noteKey(tx, own));
  const { key_fingerprint: noted } = stored ? { key_fingerprint: stored } : await db.withSystem(readInstallation);
  if (noted !== own)
    throw new Error(
      `SECRET_KEY is not the key of this database (its fingerprint is ${own} and must be ${noted}). ${remedy}`,
    );
  return key;
}

/** Accepts the current key, whichever key the database had; returns its fingerprint. Old values stay unreadable. */
export async function acceptKey(db: Pick<Database, 'withSystem'>, settings: Settings): Promise<string> {
  const own = fingerprint(secretKey(settings));
  await db.withSystem(tx => replaceKey(tx, own));
  return own;
}
