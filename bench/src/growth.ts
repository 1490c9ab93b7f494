import { openLists } from './list-sides.ts';
import { compare, ms, type Timing } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const rowsOf = ({ shown, total }: { shown: number; total: number }) =>
  shown === total ? `${shown}` : `${shown} of ${total}`;

const times = (a: number, b: number) => `${(b / a).toFixed(2)}×`;
/** CPU time, which is more reliable on a busy machine. */
const cpu = (a: Timing, b: Timing) => `CPU ${ms(a.cpuMs)} → ${ms(b.cpuMs)}, ${times(a.cpuMs, b.cpuMs)}`;

/**
 * The time of each list with a tenth of the data and with all of it, one client. Both products take turns. Where more
 * rows are shown or counted, the reference shows the cost of that alone.
 */
export async function measureGrowth(small: Product, large: Product): Promise<Row[]> {
  const [less, more] = [await openLists(small, 1), await openLists(large, 1)];
  const rows: Row[] = [];
  try {
    for (const [i, list] of more.lists.entries()) {
      const before = less.lists[i]!;
      const [a, b, nodeA, nodeB] = await compare(
        [await less.api(before), await more.api(list), less.node(before), more.node(list)],
        { turns: 12, ms: 200 },
      );
      rows.push({
        work: list.work,
        ours: `p50 ${ms(a!.p50)} → ${ms(b!.p50)}; ${cpu(a!, b!)}; ${rowsOf(await less.found(before))} → ${rowsOf(await more.found(list))} rows`,
        reference: `node + pg p50 ${ms(nodeA!.p50)} → ${ms(nodeB!.p50)}, ${times(nodeA!.p50, nodeB!.p50)}; ${cpu(nodeA!, nodeB!)}`,
        ratio: b!.p50 / a!.p50,
        goal: { most: 1.2 },
      });
    }
  } finally {
    await less.close();
    await more.close();
  }
  return rows;
}
