/** A repeatable random source. */
export interface Random {
  /** A whole number from 0 to n - 1. */
  readonly below: (n: number) => number;
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Exponentially distributed waiting times. */
  readonly around: (mean: number) => number;
}

/** Mulberry32; the same seed gives the same venue. */
export const createRandom = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    between: (least, most) => least + next() * (most - least),
    chance: probability => next() < probability,
    pick: list => {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[below(list.length)]!;
    },
    around: mean => -Math.log(1 - next()) * mean,
  };
};
