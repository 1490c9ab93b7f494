import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { begin } from './begun-file.ts';

/** A file of some parts that notes whether it was closed. */
function source(parts: number, failsAt?: number) {
  const state = { read: 0, closed: false };
  async function* file() {
    try {
      for (; state.read < parts; state.read++) {
        if (state.read === failsAt) throw new Error('unreadable');
        yield `part ${state.read}`;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, file: file() };
}

describe('a begun file', () => {
  test.each([0, 1, 2, 3, 5])('of %i parts is passed on whole', async parts => {
    const { state, file } = source(parts);
    const got = [];
    for await (const part of await begin(file)) got.push(part);
    expect(got).toEqual(Array.from({ length: parts }, (_, n) => `part ${n}`));
    expect(state.closed).toBe(true);
  });

  test.each([0, 1])('that cannot be read at part %i is refused', async n => {
    await expect(begin(source(3, n).file)).rejects.toThrow('unreadable');
  });

  test('that breaks later passes the error on', async () => {
    const begun = await begin(source(5, 3).file);
    await expect(finished(Readable.from(begun).resume())).rejects.toThrow('unreadable');
  });

  test.each([0, 1, 2, 3])('is closed when the client goes away after %i parts', async n => {
    const { state, file } = source(9);
    const stream = Readable.from(await begin(file));
    const parts = stream[Symbol.asyncIterator]();
    for (let taken = 0; taken < n; taken++) await parts.next();
    stream.destroy();
    await expect.poll(() => state.closed).toBe(true);
    expect(state.read).toBeLessThan(9);
  });
});
