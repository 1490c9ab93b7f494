import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '#lib/app.ts';
import { createS3, type S3 } from '#lib/s3.ts';

/** Where sealed files go when they are not to stay under DATA_DIR; undefined when they are. */
export function fileStore(settings: App['settings']): S3 | undefined {
  const { LOG_STORE_URL: url, LOG_STORE_KEY: keyId, LOG_STORE_SECRET: secret, LOG_STORE_REGION: region } = settings;
  return url && keyId && secret ? createS3({ url, region, keyId, secret }) : undefined;
}

/** The key of a device's file in the store; `file` is its path as in the chain. */
export const storeKey = (device: string, file: string): string => `${device}/${file}`;

/** A sealed file, from the disk or else from the store; undefined when it is in neither. */
export async function openSealed(
  folder: string,
  file: string,
  remote: { store: S3 | undefined; device: string },
): Promise<Readable | undefined> {
  const local = path.join(folder, file);
  if (existsSync(local)) return createReadStream(local);
  return remote.store?.get(storeKey(remote.device, file));
}

/** Brings a sealed file into the store and takes it off the disk. Doing it again after a crash goes on where it was. */
export async function moveToStore(
  store: S3,
  { folder, device, file, sha256 }: { folder: string; device: string; file: string; sha256: string },
): Promise<void> {
  const local = path.join(folder, file);
  if (!existsSync(local)) return;
  // A file that was changed on the disk stays there, to be found. A store should look at the hash as well, and some do not.
  const hash = createHash('sha256');
  await pipeline(createReadStream(local), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${file} is not as it was sealed`);
  await store.put(storeKey(device, file), { body: createReadStream(local), bytes: (await stat(local)).size, sha256 });
  await rm(local);
}
