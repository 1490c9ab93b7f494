// The reference for lists: a Node.js server that sends one query to PostgreSQL and returns its rows.
// It runs as its own process, like the product.
import { createServer } from 'node:http';
import pg from 'pg';
import { listsFor, type Samples } from './list-queries.ts';

const [, , databaseUrl, samples] = process.argv;
const lists = listsFor(JSON.parse(samples!) as Samples);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const server = createServer((request, response) => {
  const list = lists[Number(request.url?.slice(1))]!;
  Promise.all([
    pool.query({ name: `${list.work} rows`, text: list.rows }),
    pool.query({ name: `${list.work} total`, text: list.total }),
  ]).then(
    ([{ rows }, total]) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ data: rows, total: Number(total.rows[0].total) })),
    error => response.writeHead(500).end(String(error)),
  );
});
// An idle connection stays open.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit());
