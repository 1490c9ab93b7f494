/** The timing of a run of calls: milliseconds per call, and calls a second over the whole run. */
export interface Timing {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  /** CPU time of one call in milliseconds, as far as the subject's counter covers it. */
  readonly cpuMs: number;
}

type Work = (client: number) => Promise<unknown>;

/** The measured work. `cpu`: seconds of CPU time so far of the processes that do it. */
export interface Subject {
  readonly run: Work;
  readonly cpu?: () => number;
}

interface Turns {
  /** Calls in flight at once. Each gets its number, from 0. */
  readonly clients?: number;
  /** The number of turns of each work. */
  readonly turns?: number;
  /** The length of a turn. */
  readonly ms?: number;
}

/**
 * Times several works in turns, so that other load of the machine affects all alike. Returns one timing per work, in
 * their order.
 */
export async function compare(
  works: readonly (Work | Subject)[],
  { clients = 1, turns = 3, ms = 400 }: Turns = {},
): Promise<Timing[]> {
  const subjects = works.map(work => (typeof work === 'function' ? { run: work } : work));
  const taken = subjects.map(() => ({ took: [] as number[], ms: 0, cpu: 0 }));
  for (const { run } of subjects) await warmUp(run, clients);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, { run, cpu = () => 0 }] of subjects.entries()) {
      const before = cpu();
      const { took, ms: spent } = await repeat(run, clients, ms);
      const sum = taken[i]!;
      sum.took.push(...took);
      sum.ms += spent;
      sum.cpu += cpu() - before;
    }
  }
  return taken.map(({ took, ms: spent, cpu }) => ({
    ...summary(took, spent / 1000),
    cpuMs: (cpu * 1000) / took.length,
  }));
}

/**
 * Each client calls at least twenty times, so that its connections have prepared their statements. All of them call a
 * few hundred times, so that the engine has compiled the hot code.
 */
async function warmUp(work: Work, clients: number): Promise<void> {
  const each = Array.from({ length: clients }, (_, client) => client);
  const began = performance.now();
  const isWarm = (rounds: number) => rounds * clients >= 400 || performance.now() - began > 2000;
  for (let rounds = 0; rounds < 20 || !isWarm(rounds); rounds++) await Promise.all(each.map(work));
}

async function repeat(work: Work, clients: number, ms: number): Promise<{ took: number[]; ms: number }> {
  const took: number[] = [];
  const began = performance.now();
  const client = async (_: unknown, number: number) => {
    for (let before = performance.now(); before - began < ms; ) {
      await work(number);
      const after = performance.now();
      took.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { took, ms: performance.now() - began };
}

/** The timing of calls with these durations, in `seconds` altogether. */
export function summary(took: ArrayLike<number>, seconds: number): Omit<Timing, 'cpuMs'> {
  const sorted = Float64Array.from(took).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: took.length / seconds };
}

/** The median: the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const whole = (value: number): string => Math.round(value).toLocaleString('en');
