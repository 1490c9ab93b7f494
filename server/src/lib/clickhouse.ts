/** A ClickHouse database over its HTTP interface. Values are bound to `{name:Type}`, never written into the text. */
export interface Clickhouse {
  read<R>(query: string, values: Record<string, string | number>, settings?: Record<string, number>): Promise<R[]>;
  /** Inserts rows (JSONCompactEachRow). Rows with a token that was used before are not added again. */
  insert(into: string, rows: string, token: string): Promise<void>;
  /** Changes the schema. */
  change(statement: string): Promise<void>;
}

/** ClickHouse answered, and refused: sending the same again will not help. */
export class ClickhouseRefused extends Error {
  override readonly name = 'ClickhouseRefused';
}

const timeoutMs = { read: 5000, write: 30_000 };

/** A client of the database that an address such as https://user:password@host:8443/database names. */
export function createClickhouse(address: string): Clickhouse {
  const { protocol, host, pathname, username, password } = new URL(address);
  const headers = {
    ...(username ? { 'x-clickhouse-user': decodeURIComponent(username) } : {}),
    ...(password ? { 'x-clickhouse-key': decodeURIComponent(password) } : {}),
  };

  async function send(settings: Record<string, string | number>, body: string, patience: number): Promise<string> {
    const url = new URL(`${protocol}//${host}/`);
    url.searchParams.set('database', decodeURIComponent(pathname.slice(1)));
    // An error after the first rows would come with a 200 otherwise.
    url.searchParams.set('wait_end_of_query', '1');
    for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    const text = await response.text();
    if (response.ok) return text;
    const said = `ClickHouse refused: ${response.status} ${text.slice(0, 300)}`;
    // A table that is missing can be made, and what a proxy or a server that starts says goes over.
    throw response.status === 400 ? new ClickhouseRefused(said) : new Error(said);
  }

  return {
    async read<R>(query: string, values: Record<string, string | number>, more: Record<string, number> = {}) {
      const bound = Object.fromEntries(Object.entries(values).map(([name, value]) => [`param_${name}`, value]));
      const text = await send({ ...more, ...bound, default_format: 'JSONEachRow' }, query, timeoutMs.read);
      return text
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as R);
    },
    async insert(into, rows, token) {
      const query = `insert into ${into} format JSONCompactEachRow`;
      const once = { insert_deduplicate: 1, insert_deduplication_token: token, async_insert: 0 };
      await send({ query, ...once }, rows, timeoutMs.write);
    },
    async change(statement) {
      await send({}, statement, timeoutMs.write);
    },
  };
}
