import { openLists } from './list-sides.ts';
import { compare, ms, whole } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const clients = 8;

/** Every list at one client (p50 against the same query in bare node) and at eight (requests a second). */
export async function measureLists(product: Product): Promise<Row[]> {
  const sides = await openLists(product, clients);
  const rows: Row[] = [];
  let widest = { work: '', spread: 0, reference: 0 };
  try {
    for (const list of sides.lists) {
      const [api, node, alone] = [await sides.api(list), sides.node(list), sides.alone(list)];
      const [one, nodeOne, aloneOne] = await compare([api, node, alone], { turns: 8, ms: 150 });
      const [many, nodeMany] = await compare([api, node], { clients, turns: 10, ms: 150 });
      const spread = one!.p95 / one!.p50;
      if (spread > widest.spread) widest = { work: list.work, spread, reference: nodeOne!.p95 / nodeOne!.p50 };
      rows.push(
        {
          work: list.work,
          ours: `p50 ${ms(one!.p50)}, p95 ${ms(one!.p95)}`,
          reference: `node + pg p50 ${ms(nodeOne!.p50)}, p95 ${ms(nodeOne!.p95)}; SQL alone ${ms(aloneOne!.p50)}`,
          ratio: one!.p50 / nodeOne!.p50,
          goal: { most: 3 },
        },
        {
          work: `  ${clients} clients`,
          ours: `${whole(many!.perSecond)}/s, ${ms(many!.cpuMs)} of CPU each`,
          reference: `node + pg ${whole(nodeMany!.perSecond)}/s, ${ms(nodeMany!.cpuMs)}`,
          ratio: many!.perSecond / nodeMany!.perSecond,
          goal: { least: 0.7 },
        },
      );
    }
  } finally {
    await sides.close();
  }
  rows.push({
    work: 'p95 over p50, the widest',
    ours: widest.work,
    // The share of the machine: a server that does nothing else has it too.
    reference: `node + pg on the same list ${widest.reference.toFixed(2)}×`,
    ratio: widest.spread,
    goal: { most: 2 },
  });
  return rows;
}
