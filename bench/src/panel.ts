import { spawnSync } from 'node:child_process';
import { tenant } from './list-queries.ts';
import { type Product, root } from './product.ts';
import type { Row } from './table.ts';

const kilobyte = 1024;
const goals = { bytes: 200, shift: 0.02, inputMs: 100 };

interface Measured {
  readonly path: string;
  readonly bytes: number;
  readonly requests: number;
  readonly scripts: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly shift: number;
  readonly inputsMs: readonly number[];
  readonly inputCpuMs: number;
}

interface Answer {
  /** Inputs of a page of the browser's own parts. */
  readonly bareMs: readonly number[];
  readonly screens: readonly Measured[];
}

/** The time within which three of four inputs are answered, and the slowest. The browser rounds to 8 ms. */
function timesOf(inputsMs: readonly number[]): { text: string; worst: number } {
  const sorted = inputsMs.toSorted((a, b) => a - b);
  const worst = sorted.at(-1) ?? 0;
  return { text: `${sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0} and ${worst} ms (${sorted.length})`, worst };
}

const sizesOf = (kinds: Measured['kinds']): string =>
  Object.entries(kinds)
    .map(([kind, bytes]) => `${kind} ${(bytes / kilobyte).toFixed(0)}`)
    .join(', ');

/** The first view of screens in Chromium on a CPU slowed four times: bytes, shifts of the layout, keys and clicks. */
export async function measurePanel(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const args = ['e2e/src/panel-speed.ts', product.url, token, tenant];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || stdout);
  const { bareMs, screens } = JSON.parse(stdout) as Answer;
  const bare = timesOf(bareMs);
  return screens.flatMap(it => [
    {
      work: `${it.path}, first view`,
      ours: `${(it.bytes / kilobyte).toFixed(0)} KB in ${it.requests} requests, ${it.scripts} of them scripts (${sizesOf(it.kinds)})`,
      reference: '',
      figure: it.bytes / kilobyte,
      goal: { most: goals.bytes, unit: 'KB' },
    },
    {
      work: '  shift of the layout (CLS)',
      ours: it.shift.toFixed(3),
      reference: '',
      figure: it.shift,
      goal: { most: goals.shift, unit: '' },
    },
    // A screen without inputs has nothing to time.
    ...(it.inputsMs.length
      ? [
          {
            work: '  inputs: p75 and slowest (INP)',
            ours: timesOf(it.inputsMs).text,
            reference: bare.text,
            figure: timesOf(it.inputsMs).worst,
            goal: { most: goals.inputMs, unit: 'ms' },
          },
          {
            work: '  CPU of the slowest input, times four',
            ours: `${it.inputCpuMs.toFixed(0)} ms`,
            reference: '',
            figure: it.inputCpuMs,
            goal: { most: goals.inputMs, unit: 'ms' },
          },
        ]
      : []),
  ]);
}
