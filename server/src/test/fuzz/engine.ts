import { createHash } from 'node:crypto';
import { measureCoverage } from './coverage.ts';
import { below, mutate } from './mutate.ts';
import type { Target } from './target.ts';

/** An input for which a target failed, and the problem. */
export interface Finding {
  readonly input: Buffer;
  readonly problem: string;
}

/**
 * The CPU time of an input that counts as a problem, because any caller could stop the process with it. Inputs have a few
 * kilobytes.
 */
const slowMs = 100;

const cpuMs = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
};

/** The CPU time of `hashes` on the machine of which `slowMs` is true. */
const referenceMs = 20;
const hashes = 20_000;

/** How many times slower than that machine this one is now; a faster one counts as equal. */
function slowness(): number {
  const began = process.threadCpuUsage();
  let hash = '';
  for (let left = hashes; left > 0; left--) hash = createHash('sha256').update(hash).digest('hex');
  return Math.max(1, cpuMs(began) / referenceMs);
}

function problemOf(target: Target, input: Buffer): string | undefined {
  try {
    const copy = Buffer.from(input);
    const began = process.threadCpuUsage();
    target.run(copy);
    const took = cpuMs(began);
    return took > slowMs && took > slowMs * slowness() ? `slow: ${took.toFixed(0)} ms` : undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** Runs an input. A slow one is repeated twice, because compilation and garbage collection take time too. */
export function tryInput(target: Target, input: Buffer): Finding | undefined {
  let problem = problemOf(target, input);
  for (let tries = 2; tries > 0 && problem?.startsWith('slow'); tries--) problem = problemOf(target, input);
  return problem === undefined ? undefined : { input, problem };
}

/** Runs mutated copies of the inputs, which are the same for the same seed. */
export function tryMany(target: Target, inputs: readonly Buffer[], it: { runs: number; seed: number }): Finding[] {
  const next = below(it.seed);
  const findings: Finding[] = [];
  for (let left = it.runs; left > 0 && findings.length < 5; left--) {
    const finding = tryInput(target, mutate(inputs, next, target));
    if (finding) findings.push(finding);
  }
  return findings;
}

export interface Progress {
  readonly runs: number;
  readonly covered: number;
  /** The inputs that ran new code. */
  readonly found: readonly Buffer[];
  readonly findings: readonly Finding[];
}

/** The interval of measuring coverage. Measuring more often would cost too much. */
const batchMs = 250;

/**
 * Fuzzing guided by coverage: inputs that run new code are mutated further. `trying` is called with each input before it runs,
 * so that one that hangs can be reported.
 */
export function explore(
  target: Target,
  corpus: readonly Buffer[],
  it: { ms: number; seed: number; trying: (input: Buffer) => void; report: (progress: Progress) => void },
): Progress {
  const coverage = measureCoverage();
  const next = below(it.seed);
  const inputs = [...target.seeds, ...corpus];
  const found: Buffer[] = [];
  const findings: Finding[] = [];
  let runs = 0;
  const run = (input: Buffer): void => {
    it.trying(input);
    runs += 1;
    const finding = tryInput(target, input);
    // One example of each problem, by its first lines.
    const head = (problem: string) => problem.replaceAll(/\d+/g, 'n').split('\n').slice(0, 3).join('\n');
    if (finding && !findings.some(one => head(one.problem) === head(finding.problem))) findings.push(finding);
  };
  for (const input of inputs) run(input);
  coverage.grew();

  /** Finds the inputs of a batch that ran new code, by running halves of it against the coverage from before. */
  function keepNew(batch: readonly Buffer[], grew: (half: readonly Buffer[]) => boolean): void {
    let rest = batch;
    while (rest.length > 1) {
      const half = rest.slice(0, Math.ceil(rest.length / 2));
      rest = grew(half) ? half : rest.slice(half.length);
    }
    if (rest[0]) {
      inputs.push(rest[0]);
      found.push(rest[0]);
    }
  }

  const ends = performance.now() + it.ms;
  while (performance.now() < ends) {
    const batch: Buffer[] = [];
    const until = performance.now() + batchMs;
    while (performance.now() < until && batch.length < 50_000) {
      const input = mutate(inputs, next, target);
      batch.push(input);
      run(input);
    }
    const seen = coverage.snapshot();
    if (coverage.grew())
      keepNew(batch, half => {
        coverage.restore(seen);
        for (const input of half) run(input);
        return coverage.grew();
      });
    it.report({ runs, covered: coverage.size(), found, findings });
  }
  coverage.stop();
  return { runs, covered: coverage.size(), found, findings };
}
