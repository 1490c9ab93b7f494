import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { LoadError } from '#db/load.ts';
import type { TenantDump } from '#db/tenant-dump.ts';
import { productVersion } from '#lib/product-version.ts';
import { createSecrets, type Secrets } from '#lib/secrets.ts';
import { describeFiles, type FileEntry } from '../folder-files.ts';

const derive = promisify(scrypt) as (password: string, salt: string, length: number) => Promise<Buffer>;

export const manifestFile = 'manifest.json';
/** Files of an export that are not part of its data: the manifest, and files that only the next run needs. */
const aside = new Set([manifestFile, 'move', 'passphrase']);
export const isOfExport = (file: string): boolean => aside.has(file) || /^(tables|files)\//.test(file);

/** `format` changes when an older import cannot read it. */
interface Facts {
  readonly portico: string;
  readonly format: 1;
  readonly madeAt: string;
  readonly moveId: string;
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly hosts: readonly string[];
    readonly routers: readonly string[];
  };
  readonly salt: string;
  /** The keys of its hashes and signatures, encrypted with the passphrase. */
  readonly keys: string;
  readonly database: TenantDump;
  /** Every file of the export but this one. */
  readonly files: readonly FileEntry[];
}

export interface TenantManifest extends Facts {
  /** Signs all of the above with the passphrase. */
  readonly seal: string;
}

export const newPassphrase = (): string => randomBytes(24).toString('base64url');
export const minPassphrase = 16;

/** The key of an export: what was encrypted with SECRET_KEY is encrypted with it, and it seals the manifest. */
export async function transferSecrets(passphrase: string, salt: string): Promise<Secrets> {
  return createSecrets((await derive(passphrase, salt, 32)).toString('base64'));
}

const sealOf = (secrets: Secrets, facts: Facts): string => secrets.sign(`tenant export ${JSON.stringify(facts)}`);

/** Writes the manifest, which makes the export complete. */
export async function writeManifest(
  folder: string,
  facts: Omit<Facts, 'portico' | 'format' | 'madeAt' | 'files'>,
  secrets: Secrets,
): Promise<TenantManifest> {
  const { moveId, tenant, salt, keys, database } = facts;
  const files = (await describeFiles(folder)).filter(file => !aside.has(file.path));
  const all: Facts = {
    ...{ portico: productVersion(), format: 1, madeAt: new Date().toISOString(), moveId, tenant, salt, keys, database },
    files,
  };
  const manifest = { ...all, seal: sealOf(secrets, all) };
  await writeFile(path.join(folder, manifestFile), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
  return manifest;
}

/** Reads an export, and compares every byte of it with what the passphrase sealed. */
export async function readPackage(
  folder: string,
  passphrase: string,
): Promise<{ manifest: TenantManifest; secrets: Secrets }> {
  const manifest = await readFile(path.join(folder, manifestFile), 'utf8').then(
    text => JSON.parse(text) as TenantManifest,
    () => {
      throw new LoadError(`${folder} is no export of a tenant, or not a complete one: it has no ${manifestFile}`);
    },
  );
  if (manifest.format !== 1) throw new LoadError(`The export is of a newer version (${manifest.portico})`);
  const { seal, ...facts } = manifest;
  const secrets = await transferSecrets(passphrase, manifest.salt);
  const [found, expected] = [String(seal), sealOf(secrets, facts)].map(text => Buffer.from(text));
  if (found!.length !== expected!.length || !timingSafeEqual(found!, expected!))
    throw new LoadError(`The passphrase is wrong, or ${manifestFile} was changed`);
  const present = new Map((await describeFiles(folder)).map(file => [file.path, file]));
  for (const { path: file, sha256 } of manifest.files) {
    const it = present.get(file);
    if (it?.sha256 !== sha256) throw new LoadError(`${file} is ${it ? 'not as it was exported' : 'missing'}`);
  }
  return { manifest, secrets };
}
