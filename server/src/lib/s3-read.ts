import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { repeated, Temporary } from './s3-repeat.ts';

type Ask = (headers: Readonly<Record<string, string>>) => Promise<IncomingMessage | undefined>;

/**
 * The content of a file whose first answer is `first`. When an answer breaks off, `ask` asks once for what is missing, of the same
 * version of the file. Each piece that arrives begins the pauses again.
 */
export function steadilyRead(
  first: IncomingMessage,
  ask: Ask,
  { pauses, name }: { readonly pauses: readonly number[]; readonly name: string },
): Readable {
  const { etag } = first.headers;
  let answer: IncomingMessage | undefined = first;
  let chunks: AsyncIterator<Buffer> = first[Symbol.asyncIterator]();
  let [closed, bytes, skip] = [false, 0, 0];

  async function askForRest(): Promise<void> {
    answer = await ask({ range: `bytes=${bytes}-`, ...(etag && { 'if-match': etag }) });
    if (!answer) throw new Error(`The ${name} lost a file that was being read`);
    chunks = answer[Symbol.asyncIterator]();
    if (closed) answer.destroy();
    // A store without ranges begins again.
    skip = answer.statusCode === 206 ? 0 : bytes;
  }

  /** The next piece that was not there before; undefined at the end. */
  async function next(): Promise<Buffer | undefined> {
    for (;;) {
      if (closed) return undefined;
      if (!answer) await askForRest();
      const piece = await chunks.next().catch((error: Error) => {
        answer = undefined;
        throw new Temporary(`The ${name} broke off an answer: ${error.message}`, { cause: error });
      });
      if (piece.done) return undefined;
      const fresh = piece.value.subarray(skip);
      skip -= piece.value.length - fresh.length;
      bytes += fresh.length;
      if (fresh.length > 0) return fresh;
    }
  }

  return new Readable({
    read() {
      repeated(pauses, next).then(
        piece => this.push(piece ?? null),
        (error: Error) => this.destroy(error),
      );
    },
    // At once, although a piece may be awaited: a generator would end only when it has come.
    destroy(error, done) {
      closed = true;
      answer?.destroy();
      done(error);
    },
  });
}
