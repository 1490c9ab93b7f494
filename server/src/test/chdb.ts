import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const installed = process.env['CHDB'];

/** Why the tests on ClickHouse's engine cannot run here; undefined if they can. The package has 550 MB, so it is no dependency. */
export const noChdb =
  process.env['TEST_CLICKHOUSE'] !== undefined || (installed && existsSync(path.join(installed, 'node_modules/chdb')))
    ? undefined
    : 'there is no ClickHouse: run `npm install chdb` in a folder and name it in CHDB, or name a server in TEST_CLICKHOUSE';

/** Tells which requests fail: none, all, or only some kinds. */
export type Fault = (what: { readonly query: string; readonly insert: boolean }) => boolean;

/**
 * A ClickHouse: the server of TEST_CLICKHOUSE (http://host:port), else its engine as the package `chdb` in another process. Requests
 * pass through here, where tests see them and let them fail, before they arrive or after.
 */
export async function startChdb() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-chdb-'));
  const { origin, stop } = process.env['TEST_CLICKHOUSE']
    ? { origin: process.env['TEST_CLICKHOUSE'], stop: () => undefined }
    : await startEngine(folder);
  const seen: { query: string; tenant: string | null }[] = [];
  let refuses: Fault = () => false;
  let forgetsAnswer: Fault = () => false;
  const pass = (url: string, body: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = httpRequest(`${origin}${url}`, { method: 'POST' }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      sent.on('error', reject).end(body);
    });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { searchParams } = new URL(request.url!, 'http://chdb');
    const what = { query: searchParams.get('query') ?? body, insert: searchParams.has('query') };
    seen.push({ query: what.query, tenant: searchParams.get('param_tenant') });
    if (refuses(what)) return void request.socket.destroy();
    const { status, text } = await pass(request.url!, body);
    if (forgetsAnswer(what)) return void request.socket.destroy();
    response.writeHead(status).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/t${process.pid}_${Date.now()}`,
    seen,
    refuse: (fault: Fault) => {
      refuses = fault;
    },
    loseAnswers: (fault: Fault) => {
      forgetsAnswer = fault;
    },
    close: () => {
      stop();
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startEngine(folder: string) {
  const script = new URL('chdb-server.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, installed!, path.join(folder, 'data')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await new Promise<[string]>((resolve, reject) => {
    createInterface(child.stdout).once('line', line => resolve([line]));
    child.once('exit', code => reject(new Error(`chdb ended with ${code}`)));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
