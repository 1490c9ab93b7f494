/** What a run of calls took, in milliseconds; `perSecond` over the whole run. */
export interface Timing {
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

/** Calls `work` `times` times with `clients` under way at once, after a tenth of that to warm up. */
export async function time(work: () => Promise<unknown>, { times = 300, clients = 1 } = {}): Promise<Timing> {
  for (let i = 0; i < Math.ceil(times / 10); i++) await work();
  const took: number[] = [];
  const started = performance.now();
  const client = async () => {
    while (took.length < times) {
      const before = performance.now();
      await work();
      took.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - started) / 1000;
  took.sort((a, b) => a - b);
  return { p50: took[took.length >> 1]!, p95: took[Math.floor(took.length * 0.95)]!, perSecond: took.length / seconds };
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
