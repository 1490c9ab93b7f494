// ClickHouse's engine (chdb) behind the part of its HTTP interface that the product uses. Its first argument is the folder where chdb is
// installed, its second one a folder for the data. Prints its port. Ends with its standard input.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const [installed, data] = process.argv.slice(2);
const { Session } = createRequire(path.join(path.resolve(installed), 'package.json'))('chdb');
const session = new Session(data);
const databases = new Set();

/** A bound value as chdb takes it: what HTTP escapes is plain here. */
const valueOf = text => (/^-?\d{1,15}$/.test(text) ? Number(text) : /^-?\d+$/.test(text) ? BigInt(text) : text);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { searchParams } = new URL(request.url, 'http://chdb');
  const database = searchParams.get('database');
  try {
    if (!databases.has(database)) session.query(`create database if not exists ${database}`);
    databases.add(database);
    session.query(`use ${database}`);
    const insert = searchParams.get('query');
    let text = '';
    if (insert) {
      const token = searchParams.get('insert_deduplication_token').replaceAll("'", '');
      const at = insert.indexOf(' format ');
      session.query(
        `${insert.slice(0, at)} settings insert_deduplication_token = '${token}'${insert.slice(at)}\n${body}`,
      );
    } else {
      const values = Object.fromEntries(
        [...searchParams].flatMap(([name, value]) =>
          name.startsWith('param_') ? [[name.slice(6), valueOf(value)]] : [],
        ),
      );
      if (searchParams.has('max_query_size'))
        session.query(`set max_query_size = ${Number(searchParams.get('max_query_size'))}`);
      const format = searchParams.get('default_format') ?? 'TSV';
      text = String(
        Object.keys(values).length > 0 ? session.queryBind(body, values, format) : session.query(body, format),
      );
    }
    response.end(text);
  } catch (error) {
    response.writeHead(error.clickhouseCode === undefined ? 500 : 400).end(String(error.message));
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
