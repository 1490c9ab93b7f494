import { stat, statfs } from 'node:fs/promises';
import { LoadError } from '#db/load.ts';

/** A backup on the disk of DATA_DIR leaves so much free: below half of it log lines are dropped, and then the database stops. */
const reserveBytes = 2 ** 30;
/** Asked again after so many bytes. */
const everyBytes = 2 ** 24;

type Content = AsyncIterable<Buffer>;

/**
 * Lets content through while there is room on the disk of DATA_DIR. Throws a LoadError when a backup in `folder` would take the
 * last of it. `folder` undefined, or on another disk: everything passes.
 */
export async function roomFor(
  dataDir: string,
  folder: string | undefined,
  reserve = reserveBytes,
): Promise<(content: Content) => Content> {
  const diskOf = async (at: string) => (await stat(at).catch(() => undefined))?.dev;
  if (folder === undefined || (await diskOf(folder)) !== (await diskOf(dataDir))) return content => content;
  const check = async () => {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < reserve)
      throw new LoadError(
        `${folder} is on the disk of DATA_DIR, of which the product needs the last ${Math.round(reserve / 2 ** 20)} MB: free space or add a disk, or back up to another one`,
      );
  };
  return async function* (content) {
    let unchecked = everyBytes;
    for await (const bytes of content) {
      unchecked += bytes.length;
      if (unchecked >= everyBytes) {
        await check();
        unchecked = 0;
      }
      yield bytes;
    }
  };
}
