import { open } from 'node:fs/promises';

/** Writes the entries of a folder to the disk, so that a file that was made or renamed there is found after a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}
