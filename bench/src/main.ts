import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureArchive } from './archive.ts';
import { measureCrowd } from './crowd.ts';
import { measureDashboard } from './dashboard.ts';
import { madeData, makeData, type Size, sizeOf } from './data.ts';
import { measureExport } from './export.ts';
import { measureGrowth } from './growth.ts';
import { measureHostile } from './hostile.ts';
import { measureLists } from './lists.ts';
import { measureLogScreens } from './log-screens.ts';
import { measureLogs } from './logs.ts';
import { whole } from './measure.ts';
import { measurePanel } from './panel.ts';
import { measurePortal } from './portal.ts';
import { type Product, startProduct } from './product.ts';
import { measureRadius } from './radius.ts';
import { beginResults, describeComparison, readResults } from './results.ts';
import { measureSearch } from './search.ts';
import { measureSizes } from './sizes.ts';
import { measureSlowPhone } from './slow-phone.ts';
import { measureStart } from './start.ts';
import { printTable, type Row } from './table.ts';
import { measureWebhooks } from './webhooks.ts';

const parts = [
  'sizes',
  'panel',
  'start',
  'lists',
  'search',
  'growth',
  'dashboard',
  'export',
  'portal',
  'slow-phone',
  'crowd',
  'hostile',
  'radius',
  'webhooks',
  'logs',
  'log-screens',
  'archive',
] as const;
type Part = (typeof parts)[number];

const help = `npm run bench [-- --scale=0.1] [-- --only=${parts.join(',')}]

Measures the product, started as a user would start it, against references on this machine, in one run.
  --scale   how much of the full data set (100,000 visitors, 2,000,000 sessions) to make; default 0.1
  --only    some parts only, with commas between; growth, the lists with a tenth of the data beside all of it, and archive,
            sessions in ClickHouse (fifty times as many; CHDB names a folder with npm install chdb), only when named
  --keep    a folder whose data stays, and is used again by the next run of the same scale (of growth: two folders in it)
  --save    a folder that gets the figures as a dated JSON file

npm run bench -- --compare A B prints what moved beyond noise. A and B are such files, or folders with the files of several runs.`;

interface Chosen {
  readonly scale: number;
  readonly only: ReadonlySet<Part>;
  readonly keep: string | undefined;
  readonly save: string | undefined;
}

/** Throws the problem in one line. */
function readArguments(): Chosen | 'help' | { readonly compare: readonly [string, string] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      compare: { type: 'boolean' },
      save: { type: 'string' },
      scale: { type: 'string' },
      only: { type: 'string' },
      keep: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  const [before, after, ...more] = positionals;
  if (values.compare) {
    if (before === undefined || after === undefined || more.length)
      throw new Error('--compare takes two files or folders');
    return { compare: [before, after] };
  }
  if (before !== undefined) throw new Error(`There is no option ${before}`);
  const scale = Number(values.scale ?? 0.1);
  if (!(scale >= 0.001 && scale <= 10)) throw new Error('--scale must be a number from 0.001 to 10');
  // A second product with its own data, and another database, are started only on request.
  const only = values.only?.split(',') ?? parts.filter(part => part !== 'growth' && part !== 'archive');
  const unknown = only.find(name => !parts.includes(name as Part));
  if (unknown !== undefined) throw new Error(`--only must be some of ${parts.join(', ')}: there is no ${unknown}`);
  return { scale, only: new Set(only as Part[]), keep: values.keep, save: values.save };
}

type Report = (title: string, rows: readonly Row[]) => void;

/** Makes the data unless the folder has it from an earlier run. */
async function fill(product: Product, size: Size): Promise<void> {
  const began = performance.now();
  const client = await product.connect();
  let made: number | undefined;
  try {
    made = await madeData(client);
    if (made === undefined) await makeData(client, size);
    else if (made !== size.sessions) throw new Error(`The kept folder has ${whole(made)} sessions: choose its --scale`);
  } finally {
    // An open connection would fail when the product ends, and hide the error.
    await client.end();
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const how = made === undefined ? `made in ${seconds} s` : 'kept from a run before';
  process.stdout.write(`\nData: ${whole(size.sessions)} sessions of ${whole(size.visitors)} visitors, ${how}\n`);
}

async function measure(product: Product, { scale, only }: Chosen, report: Report): Promise<void> {
  const size = sizeOf(scale);
  await fill(product, size);
  const works: [Part, string, () => Promise<Row[]>][] = [
    ['panel', 'Panel on a slow CPU', () => measurePanel(product)],
    ['start', 'Start', () => measureStart(product)],
    ['lists', 'Lists of the API', () => measureLists(product)],
    ['search', 'The search', () => measureSearch(product)],
    ['dashboard', 'Dashboard', () => measureDashboard(product)],
    ['export', 'Export', () => measureExport(product)],
    ['portal', 'Guest portal', () => measurePortal(product)],
    ['slow-phone', 'Guest portal on slow 3G', () => measureSlowPhone(product)],
    ['crowd', 'A crowd of guests', () => measureCrowd(product)],
    ['hostile', 'Hostile requests', () => measureHostile(product)],
    ['radius', 'RADIUS', () => measureRadius(product, size.visitors)],
    ['webhooks', 'Events of webhooks', () => measureWebhooks(product)],
    ['logs', 'Logs', () => measureLogs(product)],
    ['log-screens', 'Screens of logs', () => measureLogScreens(product, scale)],
    ['archive', 'Archived sessions', () => measureArchive(product, size.sessions * 50)],
  ];
  for (const [part, title, work] of works) if (only.has(part)) report(title, await work());
}

/** Two products at once, each with its own data. */
async function grow({ scale, keep }: Chosen, report: Report): Promise<void> {
  const started: Product[] = [];
  try {
    for (const part of [scale / 10, scale]) {
      const product = await startProduct(keep && path.join(keep, `growth-${part}`));
      started.push(product);
      await fill(product, sizeOf(part));
    }
    report('Lists with a tenth of the data, and with all of it', await measureGrowth(started[0]!, started[1]!));
  } finally {
    for (const product of started) await product.stop();
  }
}

async function run(chosen: Chosen, report: Report): Promise<void> {
  if (chosen.only.has('sizes')) {
    const sizes = measureSizes();
    if (sizes) report('Sizes, compressed', sizes);
    else process.stdout.write('\nSizes are not measured: the panel is not built (npm run build)\n');
  }
  if (chosen.only.has('growth')) await grow(chosen, report);
  if (![...chosen.only].some(part => part !== 'sizes' && part !== 'growth')) return;
  const product = await startProduct(chosen.keep);
  try {
    await measure(product, chosen, report);
  } finally {
    await product.stop();
  }
}

async function runAndSave(chosen: Chosen): Promise<void> {
  const results = beginResults(chosen.scale);
  await run(chosen, (title, rows) => {
    printTable(title, rows);
    results.add(title, rows);
  });
  if (chosen.save !== undefined) process.stdout.write(`\nSaved: ${results.save(chosen.save)}\n`);
}

try {
  const chosen = readArguments();
  if (chosen === 'help') process.stdout.write(`${help}\n`);
  else if ('compare' in chosen) {
    const [before, after] = chosen.compare.map(readResults);
    process.stdout.write(`${describeComparison(before!, after!)}\n`);
  } else await runAndSave(chosen);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
