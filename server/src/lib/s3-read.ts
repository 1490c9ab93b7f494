import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

type Again = (headers: Readonly<Record<string, string>>) => Promise<IncomingMessage | undefined>;

/**
 * The content of a file whose first answer is `first`. When an answer breaks off, `again` asks for what is missing, of the same
 * version of the file. An answer that brought something begins the pauses again.
 */
export function steadilyRead(
  first: IncomingMessage,
  again: Again,
  { pauses, name }: { readonly pauses: readonly number[]; readonly name: string },
): Readable {
  let answer = first;
  let closed = false;
  async function* content(): AsyncGenerator<Buffer, void> {
    const { etag } = first.headers;
    let [bytes, skip] = [0, 0];
    for (let tries = 0; ; ) {
      const before = bytes;
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          const fresh = chunk.subarray(skip);
          skip -= chunk.length - fresh.length;
          bytes += fresh.length;
          if (fresh.length > 0) yield fresh;
        }
        return;
      } catch (error) {
        if (closed) return;
        if (bytes > before) tries = 0;
        const pause = pauses[tries++];
        if (pause === undefined)
          throw new Error(`The ${name} broke off an answer: ${(error as Error).message}`, { cause: error });
        await sleep(pause);
        if (closed) return;
      }
      const rest = await again({ range: `bytes=${bytes}-`, ...(etag && { 'if-match': etag }) });
      if (!rest) throw new Error(`The ${name} lost a file that was being read`);
      answer = rest;
      // A store without ranges begins again.
      skip = rest.statusCode === 206 ? 0 : bytes;
    }
  }
  const stream = Readable.from(content(), { objectMode: false });
  stream.once('close', () => {
    closed = true;
    answer.destroy();
  });
  return stream;
}
