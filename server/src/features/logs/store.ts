import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { App } from '#lib/app.ts';
import { createS3, type S3 } from '#lib/s3.ts';

/** The store for sealed files; undefined if they stay under DATA_DIR. */
export function fileStore(settings: App['settings']): S3 | undefined {
  const { LOG_STORE_URL: url, LOG_STORE_KEY: keyId, LOG_STORE_SECRET: secret, LOG_STORE_REGION: region } = settings;
  return url && keyId && secret ? createS3({ url, region, keyId, secret, name: 'log store' }) : undefined;
}

/** The key of a device's file in the store. `file` is its path in the chain. */
export const storeKey = (device: string, file: string): string => `${device}/${file}`;

/** Opens a sealed file from the disk or the store; undefined if it is in neither. */
export async function openSealed(
  folder: string,
  file: string,
  remote: { store: S3 | undefined; device: string },
): Promise<Readable | undefined> {
  const local = path.join(folder, file);
  if (existsSync(local)) return createReadStream(local);
  return remote.store?.get(storeKey(remote.device, file));
}

/** Moves a sealed file from the disk to the store. Idempotent. */
export async function moveToStore(
  store: S3,
  { folder, device, file, sha256 }: { folder: string; device: string; file: string; sha256: string },
): Promise<void> {
  const local = path.join(folder, file);
  if (!existsSync(local)) return;
  // A file that was changed on the disk is not moved, so that the check finds it. Some stores do not compare the hash.
  const hash = createHash('sha256');
  await pipeline(createReadStream(local), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${file} was changed after it was sealed`);
  await store.put(storeKey(device, file), { body: createReadStream(local), bytes: (await stat(local)).size, sha256 });
  await rm(local);
}
