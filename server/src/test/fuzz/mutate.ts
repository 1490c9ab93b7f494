/** A number from 0 to below `n`. */
export type Below = (n: number) => number;

/** Mulberry32, so that a failure can be reproduced. */
export function below(seed: number): Below {
  let state = seed | 0;
  return n => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
}

const limits = [0, 1, 2, 4, 16, 20, 63, 64, 127, 128, 200, 255, 256, 4095, 4096, 4097, 32_767, 65_535];
const put = (input: Buffer, at: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, at), bytes, input.subarray(at)]);

type Change = (input: Buffer, next: Below, others: readonly Buffer[], words: readonly Buffer[]) => Buffer;

const pick = <T>(list: readonly T[], next: Below): T => list[next(list.length)] as T;

const changes: readonly Change[] = [
  (input, next) => {
    const at = next(input.length);
    input[at] = (input[at] ?? 0) ^ (1 << next(8));
    return input;
  },
  (input, next) => {
    input[next(input.length)] = next(256);
    return input;
  },
  (input, next) => {
    if (input.length >= 2) input.writeUInt16BE(pick(limits, next), next(input.length - 1));
    return input;
  },
  (input, next) => {
    if (input.length >= 4) input.writeInt32BE(pick(limits, next) - 2, next(input.length - 3));
    return input;
  },
  (input, next) => {
    const [from, to] = [next(input.length), next(input.length)].sort((a, b) => a - b) as [number, number];
    return Buffer.concat([input.subarray(0, from), input.subarray(to)]);
  },
  (input, next) => {
    const from = next(input.length);
    return put(input, next(input.length + 1), input.subarray(from, from + 1 + next(64)));
  },
  (input, next) => put(input, next(input.length + 1), Buffer.alloc(1 + next(80), next(256))),
  (input, next, _, words) => (words.length === 0 ? input : put(input, next(input.length + 1), pick(words, next))),
  (input, next, _, words) => {
    if (words.length > 0) input.set(pick(words, next).subarray(0, input.length), next(Math.max(1, input.length - 40)));
    return input;
  },
  (input, next, others) => {
    const other = pick(others, next);
    return Buffer.concat([input.subarray(0, next(input.length + 1)), other.subarray(next(other.length + 1))]);
  },
  (input, next) => input.subarray(0, next(input.length + 1)),
];

export interface MutationOptions {
  readonly longest: number;
  readonly words: readonly Buffer[];
}

/** A mutated copy of one of the inputs. */
export function mutate(inputs: readonly Buffer[], next: Below, { longest, words }: MutationOptions): Buffer {
  let input: Buffer = Buffer.from(pick(inputs, next));
  for (let left = 1 + next(6); left > 0; left--) {
    const change = pick(changes, next);
    // Changes in place need a copy of their own, because some changes return a part of another input.
    if (input.length === 0) input = Buffer.alloc(1 + next(40), next(256));
    try {
      input = change(Buffer.from(input), next, inputs, words);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return input.subarray(0, longest);
}
