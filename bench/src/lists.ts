import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HttpClient } from './http-client.ts';
import { openHttp } from './http-client.ts';
import { listsFor, type Samples, samplesQuery, tenant } from './list-queries.ts';
import { compare, ms, type Subject, whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const clients = 8;

async function startBareServer(
  databaseUrl: string,
  samples: Samples,
): Promise<{ url: string; pid: number; stop: () => void }> {
  const child = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), [
    databaseUrl,
    JSON.stringify(samples),
  ]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', resolve as (port: unknown) => void);
    child.once('exit', () => reject(new Error('The bare server did not start')));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => child.disconnect() };
}

async function get(client: HttpClient, path: string): Promise<Buffer> {
  const { status, body } = await client.get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`);
  return body;
}

/** Both must say the same, or comparing their speed says nothing. */
function requireSame(work: string, api: Buffer, bare: Buffer): void {
  const ours = JSON.parse(api.toString()) as { data: unknown[]; meta: { total: number } };
  const theirs = JSON.parse(bare.toString()) as { data: unknown[]; total: number };
  if (ours.data.length !== theirs.data.length || ours.meta.total !== theirs.total || theirs.data.length === 0) {
    throw new Error(
      `${work}: ${ours.data.length} of ${ours.meta.total} rows here, ${theirs.data.length} of ${theirs.total} there`,
    );
  }
}

/** Every list at one client (p50 against the same query in bare node) and at eight (requests a second). */
export async function measureLists(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const sql = await product.connect();
  const samples = (await sql.query<Samples>(samplesQuery)).rows[0]!;
  const lists = listsFor(samples);
  const bare = await startBareServer(product.databaseUrl, samples);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'accept-encoding': 'identity' };
  const apiClients = Array.from({ length: clients }, () => openHttp(product.url, headers));
  const bareClients = Array.from({ length: clients }, () => openHttp(bare.url));
  const rows: Row[] = [];
  let widest = { work: '', spread: 0, reference: 0 };
  try {
    for (const [i, list] of lists.entries()) {
      const api: Subject = { run: client => get(apiClients[client]!, list.path), cpu: () => cpuOf(product.pid, true) };
      // Its database is the product's, whose node does nothing meanwhile.
      const node: Subject = {
        run: client => get(bareClients[client]!, `/${i}`),
        cpu: () => cpuOf(product.pid, true) + cpuOf(bare.pid),
      };
      const alone: Subject = { run: () => sql.query({ name: list.work, text: list.rows }) };
      requireSame(list.work, await get(apiClients[0]!, list.path), await get(bareClients[0]!, `/${i}`));
      const [one, nodeOne, aloneOne] = await compare([api, node, alone]);
      const [many, nodeMany] = await compare([api, node], { clients, ms: 500 });
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
    for (const client of [...apiClients, ...bareClients]) client.close();
    bare.stop();
    await sql.end();
  }
  rows.push({
    work: 'p95 over p50, the widest',
    ours: widest.work,
    // What of it is the machine's: a server that does nothing else has it too.
    reference: `node + pg on the same list ${widest.reference.toFixed(2)}×`,
    ratio: widest.spread,
    goal: { most: 2 },
  });
  return rows;
}
