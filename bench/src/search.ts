import { openHttp } from './http-client.ts';
import { type Samples, samplesQuery, tenant, tenantId } from './list-queries.ts';
import { compare, ms } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const goalMs = 50;
const shown = 6;

/** The search of the panel (Ctrl K) beside the plainest query that finds the same visitors, as the database's owner. */
export async function measureSearch(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const client = openHttp(product.url, { authorization: `Bearer ${token}`, 'x-tenant': tenant });
  const sql = await product.connect();
  const { mac, ip, word } = (await sql.query<Samples>(samplesQuery)).rows[0]!;
  const plain = (text: string) => ({
    text: `select v.id, v.name, l.name as location from visitors v join locations l on l.tenant_id = v.tenant_id and l.id = v.location_id
      where v.tenant_id = $1 and v.search_text like fold_text($2) order by v.id desc limit ${shown}`,
    values: [tenantId, `%${text}%`],
  });
  try {
    const rows: Row[] = [];
    for (const [work, text] of [
      ['a name that many have', 'yilmaz'],
      ['a name and a surname', 'ayşe yıl'],
      ['a user name', word],
      ['two letters exchanged', 'ylimaz'],
      ['two typing errors', 'mustfaa yilmz'],
      ['nothing like it', 'qqxxzzww'],
      ['two letters that many have', 'ay'],
      ['two letters that none has', 'qx'],
      ['a MAC address', mac],
      ['an IP address', ip],
    ] as const) {
      const path = `/v1/panel/search?search=${encodeURIComponent(text)}`;
      const ask = async () => {
        const { status } = await client.get(path);
        if (status !== 200) throw new Error(`${path}: ${status}`);
      };
      const [ours, alone] = await compare([ask, () => sql.query(plain(text))], { turns: 4, ms: 300 });
      rows.push({
        work,
        ours: `p50 ${ms(ours!.p50)}, p95 ${ms(ours!.p95)}`,
        reference: `SQL alone p50 ${ms(alone!.p50)}, p95 ${ms(alone!.p95)}`,
        ratio: ours!.p50 / alone!.p50,
        figure: ours!.p50,
        goal: { most: goalMs, unit: 'ms' },
      });
    }
    return rows;
  } finally {
    client.close();
    await sql.end();
  }
}
