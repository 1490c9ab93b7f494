import { z } from 'zod';
import type { Changes } from '#db/listen.ts';
import type { Database } from '#db/tenant.ts';
import { readTenantKeys, tenantKeysTopic } from '#features/moves/public.ts';
import { createSecrets, type HashKeys, hashKeysOf, type Secrets } from '#lib/secrets.ts';
import type { Settings } from '../settings.ts';
import { knownSecretKey, previousSecretKey, secretKey } from '../settings-secret.ts';
import { noteKey, readInstallation, replaceKey } from './installation.queries.ts';

type Db = Pick<Database, 'withSystem'>;

/** Identifies a key without revealing anything about it. */
export const fingerprint = (key: string): string =>
  createSecrets(key).signBriefly('portico key fingerprint').slice(0, 16);

const remedy =
  'Restore the right key. If it is lost, "portico secret accept" accepts this one; what the old key encrypted must then be entered again';

export interface InstallationKeys {
  readonly key: string;
  readonly previous: string | undefined;
  readonly hashKeys: HashKeys;
  /** The database still uses the previous key, because SECRET_KEY is not rotated yet. */
  readonly isNext: boolean;
  /** Processes encrypt with `key` already. */
  readonly writesNext: boolean;
}

/**
 * The keys of this installation. Throws if the database was encrypted with another key, because devices, integrations and
 * identities could not be read.
 */
export async function requireKeys(db: Db, settings: Settings): Promise<InstallationKeys> {
  const { key_fingerprint: stored } = await db.withSystem(readInstallation);
  const previous = previousSecretKey(settings);
  const previousFits = previous !== undefined && stored === fingerprint(previous);
  // A key must not be created for a database that has one, unless that one is known.
  if (stored && knownSecretKey(settings) === undefined && !previousFits)
    throw new Error(
      `SECRET_KEY is missing: the database was encrypted with a key that is neither set nor in ${settings.DATA_DIR}. ${remedy}`,
    );
  const key = secretKey(settings);
  const own = fingerprint(key);
  if (!stored) await db.withSystem(tx => noteKey(tx, own));
  const installation = await db.withSystem(readInstallation);
  const noted = installation.key_fingerprint;
  if (noted !== own && !previousFits)
    throw new Error(
      `SECRET_KEY is not the key of this database (its fingerprint is ${own} and must be ${noted}). ${remedy}`,
    );
  const { rotating_to } = installation;
  if (rotating_to && rotating_to !== own)
    throw new Error(
      `SECRET_KEY is being rotated to the key with the fingerprint ${rotating_to}: set that one, and this one as SECRET_KEY_PREVIOUS`,
    );
  const isNext = noted !== own;
  const storedKey = isNext ? previous! : key;
  return {
    ...{ key, previous, isNext, writesNext: isNext && rotating_to === own },
    hashKeys: readHashKeys(storedKey, installation.hash_keys),
  };
}

const readHashKeys = (key: string, stored: string | null): HashKeys =>
  stored === null ? hashKeysOf(key) : (JSON.parse(createSecrets(key).decrypt(stored)) as HashKeys);

const hashKeysSchema = z.object({ index: z.string(), signature: z.string() });

/** The keys in a decrypted text; nothing if it has none. */
export function keysIn(plain: string | undefined): HashKeys | undefined {
  try {
    return plain === undefined ? undefined : hashKeysSchema.parse(JSON.parse(plain));
  } catch {
    return undefined;
  }
}

/** The encryption of this process. While SECRET_KEY is rotated, all processes change the key at about the same time. */
export interface SwitchingSecrets {
  readonly secrets: Secrets;
  /** Encrypts with the new key from now on. Does nothing unless SECRET_KEY is rotated. */
  switch(): void;
  /** Reads the keys of the tenants that came from another installation. */
  readTenants(db: Db): Promise<void>;
}

export function secretsOf({ key, previous, hashKeys, isNext, writesNext }: InstallationKeys): SwitchingSecrets {
  const tenants = new Map<string, HashKeys>();
  const own = createSecrets(key, { other: previous, hashKeys, tenants });
  const readOnce = async (db: Db): Promise<void> => {
    const rows = await db.withSystem(readTenantKeys);
    const gone = new Set(tenants.keys());
    for (const { tenant, keys } of rows) {
      gone.delete(tenant);
      // Unreadable after "secret accept": then only what is new is valid. Known keys stay while SECRET_KEY is rotated.
      const known = keysIn(own.read(keys));
      if (known) tenants.set(tenant, known);
    }
    for (const tenant of gone) tenants.delete(tenant);
  };
  // One after another: an older answer that came last would remove the keys of a tenant that has just arrived.
  let last: Promise<void> = Promise.resolve();
  const readTenants = (db: Db): Promise<void> => {
    last = last.catch(() => undefined).then(() => readOnce(db));
    return last;
  };
  if (!isNext || writesNext) return { secrets: own, switch: () => undefined, readTenants };
  let now = createSecrets(previous!, { other: key, hashKeys, tenants });
  return {
    readTenants,
    secrets: {
      encrypt: plain => now.encrypt(plain),
      decrypt: text => now.decrypt(text),
      read: text => now.read(text),
      index: value => now.index(value),
      sign: text => now.sign(text),
      signBriefly: text => now.signBriefly(text),
      ofTenant: tenantId => now.ofTenant(tenantId),
    },
    switch: () => {
      now = own;
    },
  };
}

/** The interval of the check whether to encrypt with the new key. */
export const switchEveryMs = 1000;

/** Switches when the rotation begins; returns a function that ends the watch. */
export function watchRotation(db: Db, { key, isNext, writesNext }: InstallationKeys, begun: () => void): () => void {
  if (!isNext || writesNext) return () => undefined;
  const own = fingerprint(key);
  const timer = setInterval(() => {
    void db.withSystem(readInstallation).then(
      ({ rotating_to, key_fingerprint }) => {
        if (rotating_to !== own && key_fingerprint !== own) return;
        clearInterval(timer);
        begun();
      },
      // The database is away; the next turn asks again.
      () => undefined,
    );
  }, switchEveryMs).unref();
  return () => clearInterval(timer);
}

/** Reads the keys of tenants again when one arrives or leaves; returns a function that ends the watch. */
export function watchTenants(
  db: Db,
  changes: Changes,
  { readTenants }: Pick<SwitchingSecrets, 'readTenants'>,
): () => void {
  const read = () => void readTenants(db).catch(() => undefined);
  const end = changes.subscribe(({ topic }) => {
    if (topic === tenantKeysTopic) read();
  });
  const endBeginnings = changes.onListening(read);
  // A connection may be dead before anything tells.
  const timer = setInterval(read, keyCheckMs).unref();
  return () => {
    end();
    endBeginnings();
    clearInterval(timer);
  };
}

/** The interval of the check whether the process has the key of the database. */
const keyCheckMs = 30_000;

/**
 * Reports if this process does not have the current or the next key of the database, because it was not restarted before the
 * rotation. Returns a function that ends the watch.
 */
export function watchKey(
  db: Db,
  { key, previous }: Pick<InstallationKeys, 'key' | 'previous'>,
  lacks: (needed: string | undefined) => void,
  everyMs = keyCheckMs,
): () => void {
  const known = new Set([key, previous].map(it => it && fingerprint(it)));
  const check = async () => {
    const { key_fingerprint, rotating_to } = await db.withSystem(readInstallation);
    lacks([key_fingerprint, rotating_to].find(it => it !== null && !known.has(it)) ?? undefined);
  };
  // The database is away; the next turn asks again.
  const timer = setInterval(() => void check().catch(() => undefined), everyMs).unref();
  return () => clearInterval(timer);
}

/** Accepts the current key, whichever key the database had; returns its fingerprint. Old values stay unreadable. */
export async function acceptKey(db: Db, settings: Settings): Promise<string> {
  const own = fingerprint(secretKey(settings));
  await db.withSystem(tx => replaceKey(tx, own));
  return own;
}
