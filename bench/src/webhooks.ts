import { tenantId } from './list-queries.ts';
import { median } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const rows = 500;
const rounds = 10;

const works = {
  'a new visitor': `insert into visitors (tenant_id, id, location_id, name, provider_type, username, session_duration, max_upload, max_download)
    select v.tenant_id, new_id(), v.location_id, v.name, v.provider_type, 'hook' || n, v.session_duration, v.max_upload, v.max_download
    from (select * from visitors where tenant_id = $1 order by id limit 1) v, generate_series(1, ${rows}) n`,
  'a changed visitor': `update visitors set name = name || ' x'
    where tenant_id = $1 and id in (select id from visitors where tenant_id = $1 order by id limit ${rows})`,
} as const;

/** Measures the cost of webhook events for writers, beside the same statement in the same tenant without a webhook. */
export async function measureWebhooks(product: Product): Promise<Row[]> {
  const client = await product.connect();
  /** Microseconds a row. The transaction is rolled back, so that the product sends nothing. */
  const timed = async (statement: string, hasWebhook: boolean): Promise<number> => {
    await client.query('begin');
    try {
      if (hasWebhook)
        await client.query(
          `insert into integrations (tenant_id, id, location_id, kind, name, connection, events)
           select tenant_id, new_id(), location_id, 'webhook', 'Bench', '', '{visitor.created,visitor.updated}'
           from visitors where tenant_id = $1 order by visitors.id limit 1`,
          [tenantId],
        );
      const before = performance.now();
      const { rowCount } = await client.query(statement, [tenantId]);
      return ((performance.now() - before) * 1000) / rowCount!;
    } finally {
      await client.query('rollback');
    }
  };
  try {
    const measured: Row[] = [];
    for (const [work, statement] of Object.entries(works)) {
      const took: { with: number[]; without: number[] } = { with: [], without: [] };
      for (let round = 0; round < rounds; round++) {
        took.with.push(await timed(statement, true));
        took.without.push(await timed(statement, false));
      }
      const [ours, reference] = [median(took.with), median(took.without)];
      measured.push({
        work: `${work}, told to a webhook`,
        ours: `${ours.toFixed(0)} µs`,
        reference: `no webhook ${reference.toFixed(0)} µs`,
        ratio: ours / reference,
      });
    }
    return measured;
  } finally {
    await client.end();
  }
}
