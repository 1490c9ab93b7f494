import { parseArgs } from 'node:util';
import { measureCrowd } from './crowd.ts';
import { measureDashboard } from './dashboard.ts';
import { makeData, sizeOf } from './data.ts';
import { measureExport } from './export.ts';
import { measureLists } from './lists.ts';
import { measureLogs } from './logs.ts';
import { measurePortal } from './portal.ts';
import { type Product, startProduct } from './product.ts';
import { measureRadius } from './radius.ts';
import { measureSizes } from './sizes.ts';
import { measureStart } from './start.ts';
import { printTable, type Row } from './table.ts';

const parts = ['sizes', 'start', 'lists', 'dashboard', 'export', 'portal', 'crowd', 'radius', 'logs'] as const;
type Part = (typeof parts)[number];

const help = `npm run bench [-- --scale=0.1] [-- --only=${parts.join(',')}]

Measures the product, started as a user would start it, against references on this machine, in one run.
  --scale   how much of the full data set (100,000 visitors, 2,000,000 sessions) to make; default 0.1
  --only    some parts only, with commas between`;

interface Chosen {
  readonly scale: number;
  readonly only: ReadonlySet<Part>;
}

/** Throws what is wrong in one line. */
function readArguments(): Chosen | 'help' {
  const { values } = parseArgs({
    options: { scale: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return 'help';
  const scale = Number(values.scale ?? 0.1);
  if (!(scale >= 0.001 && scale <= 10)) throw new Error('--scale must be a number from 0.001 to 10');
  const only = values.only?.split(',') ?? parts;
  const unknown = only.find(name => !parts.includes(name as Part));
  if (unknown !== undefined) throw new Error(`--only must be some of ${parts.join(', ')}: there is no ${unknown}`);
  return { scale, only: new Set(only as Part[]) };
}

async function measure(product: Product, { scale, only }: Chosen): Promise<void> {
  const size = sizeOf(scale);
  const began = performance.now();
  const client = await product.connect();
  await makeData(client, size);
  await client.end();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(
    `\nData: ${size.sessions.toLocaleString('en')} sessions of ${size.visitors.toLocaleString('en')} visitors, made in ${seconds} s\n`,
  );
  const works: [Part, string, () => Promise<Row[]>][] = [
    ['start', 'Start', () => measureStart(product)],
    ['lists', 'Lists of the API', () => measureLists(product)],
    ['dashboard', 'Dashboard', () => measureDashboard(product)],
    ['export', 'Export', () => measureExport(product)],
    ['portal', 'Guest portal', () => measurePortal(product)],
    ['crowd', 'A crowd of guests', () => measureCrowd(product)],
    ['radius', 'RADIUS', () => measureRadius(product, size.visitors)],
    ['logs', 'Logs', () => measureLogs(product)],
  ];
  for (const [part, title, work] of works) if (only.has(part)) printTable(title, await work());
}

async function run(chosen: Chosen): Promise<void> {
  if (chosen.only.has('sizes')) {
    const sizes = measureSizes();
    if (sizes) printTable('Sizes, compressed', sizes);
    else process.stdout.write('\nSizes are not measured: the panel is not built (npm run build)\n');
  }
  if (![...chosen.only].some(part => part !== 'sizes')) return;
  const product = await startProduct();
  try {
    await measure(product, chosen);
  } finally {
    await product.stop();
  }
}

try {
  const chosen = readArguments();
  if (chosen === 'help') process.stdout.write(`${help}\n`);
  else await run(chosen);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
