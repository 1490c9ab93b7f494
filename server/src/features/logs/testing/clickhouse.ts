import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as queries from '../clickhouse.queries.ts';

export interface ReceivedRequest {
  readonly url: URL;
  readonly user: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

type Row = readonly (string | number)[];

/**
 * A fake ClickHouse server. It stores rows, recognises deduplication tokens and answers the three queries of the product. With
 * TEST_CLICKHOUSE (http://host:port), requests are passed on to a real server. `failNext('down')` affects the next request, any
 * other failure the next insert.
 */
export async function startClickhouse() {
  const real = process.env['TEST_CLICKHOUSE'];
  const requests: ReceivedRequest[] = [];
  const tables = { log_minutes: [] as Row[], log_tops: [] as Row[] };
  const tokens = new Set<string>();
  let failure: 'down' | 'no answer' | 'refused' | undefined;

  async function answer({ url, body }: ReceivedRequest): Promise<{ status: number; text: string }> {
    if (real) {
      const response = await fetch(`${real}/${url.search}`, { method: 'POST', body });
      return { status: response.status, text: await response.text() };
    }
    const insert = /^insert into (log_minutes|log_tops) \(/.exec(url.searchParams.get('query') ?? '');
    if (insert) {
      const token = url.searchParams.get('insert_deduplication_token') ?? '';
      if (!tokens.has(token))
        tables[insert[1] as 'log_minutes'].push(...body.split('\n').map(line => JSON.parse(line) as Row));
      tokens.add(token);
      return { status: 200, text: '' };
    }
    return { status: 200, text: select(tables, body, name => url.searchParams.get(`param_${name}`) ?? '') };
  }

  const server = createServer(async (request, response) => {
    const one = await readRequest(request);
    requests.push(one);
    const now = failure === 'down' || one.url.searchParams.has('query') ? failure : undefined;
    if (now) failure = undefined;
    if (now === 'down') return void request.socket.destroy();
    if (now === 'refused') return void response.writeHead(400).end('Code: 27. DB::Exception');
    const { status, text } = await answer(one);
    if (now === 'no answer') return void request.socket.destroy();
    response.writeHead(status).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://portico:s%40crt@127.0.0.1:${port}/logs_${process.pid}`,
    requests,
    failNext: (what: typeof failure) => {
      failure = what;
    },
    close: () => new Promise(resolve => server.close(resolve)),
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const header = (name: string) => request.headers[name] as string | undefined;
  return {
    url: new URL(request.url ?? '/', 'http://clickhouse'),
    user: header('x-clickhouse-user'),
    key: header('x-clickhouse-key'),
    body,
  };
}

function select(tables: Record<'log_minutes' | 'log_tops', Row[]>, query: string, value: (name: string) => string) {
  const sums = new Map<string | number, number[]>();
  const add = (name: string | number, figures: number[]) =>
    sums.set(
      name,
      figures.map((figure, i) => figure + (sums.get(name)?.[i] ?? 0)),
    );
  const isOfDevice = (row: Row) => row[0] === value('tenant') && row[1] === value('device');
  if (query === queries.listTops) {
    const moment = (day: unknown, hour: unknown) => `${day} ${String(hour).padStart(2, '0')}`;
    const [first, last] = ['first', 'last'].map(name => moment(value(name), value(`${name}_hour`))) as [string, string];
    for (const row of tables.log_tops) {
      const at = moment(row[3], row[4]);
      if (isOfDevice(row) && row[2] === value('kind') && at >= first && at <= last)
        add(row[5] as string, row.slice(6) as number[]);
    }
    return (
      [...sums]
        .map(([name, [recv = 0, sent = 0, connections = 0]]) => ({
          domain: String(name),
          recv,
          sent,
          total: recv + sent,
          connections,
        }))
        // ClickHouse sorts texts by their bytes.
        .sort((a, b) => b.total - a.total || b.connections - a.connections || (a.domain < b.domain ? -1 : 1))
        .slice(0, 20)
        .map(row => JSON.stringify(row))
        .join('\n')
    );
  }
  if (query !== queries.minutesBetween && query !== queries.hoursBetween) return '';
  const step = query === queries.hoursBetween ? 3600 : 60;
  for (const row of tables.log_minutes) {
    const at = row[2] as number;
    if (isOfDevice(row) && at >= Number(value('from')) && at < Number(value('to')))
      add(at - (at % step), [row[3] as number]);
  }
  // ClickHouse may write large numbers as text.
  return [...sums]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([at, [lines]]) => JSON.stringify({ at, lines: String(lines) }))
    .join('\n');
}
