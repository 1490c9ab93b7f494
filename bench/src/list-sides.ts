import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HttpClient } from './http-client.ts';
import { openHttp } from './http-client.ts';
import { type List, listsFor, type Samples, samplesQuery, tenant } from './list-queries.ts';
import type { Subject } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';

/** The lists of a product and of the bare server, each with its own connections per client. */
export interface ListSides {
  readonly lists: readonly List[];
  /** A list of the API. It fails if its result differs from the reference. */
  readonly api: (list: List) => Promise<Subject>;
  readonly node: (list: List) => Subject;
  readonly alone: (list: List) => Subject;
  /** The number of rows that a list shows, and finds. */
  readonly found: (list: List) => Promise<{ shown: number; total: number }>;
  readonly close: () => Promise<void>;
}

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

interface Page {
  readonly data: unknown[];
  readonly meta: { readonly total: number };
}

/** Results must be equal, or a comparison of speed means nothing. */
function requireSame(work: string, api: Buffer, bare: Buffer): void {
  const ours = JSON.parse(api.toString()) as Page;
  const theirs = JSON.parse(bare.toString()) as { data: unknown[]; total: number };
  if (ours.data.length !== theirs.data.length || ours.meta.total !== theirs.total || theirs.data.length === 0) {
    throw new Error(
      `${work}: ${ours.data.length} of ${ours.meta.total} rows here, ${theirs.data.length} of ${theirs.total} there`,
    );
  }
}

/** The subjects of a measurement. */
export async function openLists(product: Product, clients: number): Promise<ListSides> {
  const token = await product.signIn(tenant);
  const sql = await product.connect();
  const samples = (await sql.query<Samples>(samplesQuery)).rows[0]!;
  const lists = listsFor(samples);
  const bare = await startBareServer(product.databaseUrl, samples);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'accept-encoding': 'identity' };
  const apiClients = Array.from({ length: clients }, () => openHttp(product.url, headers));
  const bareClients = Array.from({ length: clients }, () => openHttp(bare.url));
  const pathOf = (list: List) => `/${lists.indexOf(list)}`;
  return {
    lists,
    api: async list => {
      requireSame(list.work, await get(apiClients[0]!, list.path), await get(bareClients[0]!, pathOf(list)));
      return { run: client => get(apiClients[client]!, list.path), cpu: () => cpuOf(product.pid, true) };
    },
    // It uses the product's database, whose Node.js is idle meanwhile.
    node: list => ({
      run: client => get(bareClients[client]!, pathOf(list)),
      cpu: () => cpuOf(product.pid, true) + cpuOf(bare.pid),
    }),
    alone: list => ({ run: () => sql.query({ name: list.work, text: list.rows }) }),
    found: async list => {
      const body = JSON.parse((await get(apiClients[0]!, list.path)).toString()) as Page;
      return { shown: body.data.length, total: body.meta.total };
    },
    close: async () => {
      for (const client of [...apiClients, ...bareClients]) client.close();
      bare.stop();
      await sql.end();
    },
  };
}
