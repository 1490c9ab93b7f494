import type { FileChunks } from '@portico/contract/endpoint.ts';

/**
 * The file, with its first two parts read: mostly the names of the columns, and the first rows. If these cannot be read, the call is
 * refused as any other. Once a part was sent, an error can only break the connection.
 */
export async function begin(file: FileChunks): Promise<FileChunks> {
  const parts = file[Symbol.asyncIterator]();
  const read = [await parts.next()];
  if (!read[0]!.done) read.push(await parts.next());
  return (async function* () {
    try {
      for (const { done, value } of read) if (!done) yield value;
      if (read.at(-1)!.done) return;
      for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
    } finally {
      await parts.return?.();
    }
  })();
}
