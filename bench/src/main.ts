import { parseArgs } from 'node:util';
import { makeData, sizeOf } from './data.ts';
import { measureExport } from './export.ts';
import { measureLists } from './lists.ts';
import { startProduct } from './product.ts';
import { measureRadius } from './radius.ts';
import { measureSizes } from './sizes.ts';
import { printTable } from './table.ts';

const parts = ['sizes', 'lists', 'export', 'radius'] as const;
const help = `npm run bench [-- --scale=0.1] [-- --only=${parts.join(',')}]

Every figure stands beside a reference measured in the same run, on this machine.
  --scale   how much of the full data set (2,000,000 sessions) to make; default 0.1
  --only    some parts only`;

const { values } = parseArgs({ options: { scale: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
const only = values.only?.split(',') ?? parts;
const wants = (part: (typeof parts)[number]) => only.includes(part);
const scale = Number(values.scale ?? 0.1);

if (wants('sizes')) printTable('Sizes', measureSizes());
if (wants('lists') || wants('export') || wants('radius')) {
  const product = await startProduct();
  try {
    const client = await product.connect();
    const size = sizeOf(scale);
    process.stdout.write(`\nMaking ${size.sessions.toLocaleString('en')} sessions of ${size.visitors.toLocaleString('en')} visitors …\n`);
    await makeData(client, size);
    await client.end();
    if (wants('lists')) printTable('Lists', await measureLists(product));
    if (wants('export')) printTable('Export', await measureExport(product));
    if (wants('radius')) printTable('RADIUS', await measureRadius(product));
  } finally {
    await product.stop();
  }
}
