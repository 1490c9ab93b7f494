import type { FileChunks } from '@portico/contract/endpoint.ts';

/**
 * The file, with its first two parts read: mostly the names of the columns, and the first rows. If these cannot be read, the call is
 * refused as any other. Once a part was sent, an error can only break the connection.
 */
export async function begin(file: FileChunks): Promise<FileChunks> {
  const parts = file[Symbol.asyncIterator]();
  const read = [await parts.next()];
  if (!read[0]!.done) read.push(await parts.next());
  let ended = read.at(-1)!.done === true;
  const over = { done: true, value: undefined } as const;
  // A generator would not do: closed before its first part is taken, it runs nothing, and the file would stay open.
  const rest = {
    next: async () => read.shift() ?? (ended ? over : parts.next()),
    return: async () => {
      ended = true;
      read.length = 0;
      await parts.return?.();
      return over;
    },
  };
  return { [Symbol.asyncIterator]: () => rest };
}
