import { setTimeout as sleep } from 'node:timers/promises';
import { median, ms } from './measure.ts';
import { memoryOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const starts = 3;
const calmDownMs = 5000;

/** The duration of a start on existing data, and the memory of the idle product. */
export async function measureStart(product: Product): Promise<Row[]> {
  const took: number[] = [];
  for (let i = 0; i < starts; i++) took.push(await product.restart());
  await sleep(calmDownMs);
  const megabytes = memoryOf(product.pid) / 2 ** 20;
  const typical = median(took);
  return [
    {
      work: 'start on existing data, until everything listens',
      ours: ms(typical),
      reference: '',
      figure: typical,
      goal: { most: 1000, unit: 'ms' },
    },
    {
      work: 'idle memory, node and PostgreSQL',
      ours: `${megabytes.toFixed(0)} MB`,
      reference: '',
      figure: megabytes,
      goal: { most: 240, unit: 'MB' },
    },
  ];
}
