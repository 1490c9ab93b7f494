import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, type PorticoClient, PorticoError, reply, rows } from '@portico/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
let client: PorticoClient;
let token: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  client = createClient({ url: api.url, token, tenant: 'panel', language: 'en' });
  location = await api.location(token, 'Otel');
});

const visitor = (username: string) =>
  ({ location_id: location, name: 'Ada Deniz', provider_type: 'username', username, password: 'secret1' }) as const;

describe('the typed client', () => {
  test('creates, reads, changes and deletes', async () => {
    const { data } = await reply(client.POST('/v1/panel/client', { body: visitor('ada') }));
    expect(data.username).toBe('ada');
    const path = { id: data.id };
    const changed = await reply(
      client.PUT('/v1/panel/client/{id}', { params: { path }, body: { ...visitor('ada'), name: 'Ada D.' } }),
    );
    expect(changed.data.name).toBe('Ada D.');
    await reply(client.DELETE('/v1/panel/client/{id}', { params: { path } }));
    const gone = reply(client.GET('/v1/panel/client/{id}', { params: { path } }));
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('reads all pages of a list', async () => {
    for (const name of ['a1', 'a2', 'a3']) await reply(client.POST('/v1/panel/client', { body: visitor(name) }));
    const names: string[] = [];
    const ask = (page: number) => client.GET('/v1/panel/client', { params: { query: { page, per_page: 2 } } });
    for await (const it of rows(ask)) names.push(it.username!);
    expect(names.sort()).toEqual(['a1', 'a2', 'a3']);
  });

  test('throws the problem of a refusal with its fields', async () => {
    const error = await reply(client.POST('/v1/panel/client', { body: { ...visitor('b'), name: '' } })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PorticoError);
    expect(error).toMatchObject({ status: 422, code: 'invalid', errors: { name: ['This field is required.'] } });
    expect((error as PorticoError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('repeats a call as the server says, with one key, so that the work is done once', async () => {
    const keys: (string | null)[] = [];
    const flaky = createClient({
      url: api.url,
      token,
      tenant: 'panel',
      fetch: async request => {
        keys.push(request.headers.get('idempotency-key'));
        const response = await fetch(request);
        // The first answer is lost on the way.
        return keys.length === 1 ? new Response(null, { status: 503, headers: { 'retry-after': '1' } }) : response;
      },
    });
    const { data } = await reply(flaky.POST('/v1/panel/client', { body: visitor('once') }));
    expect(keys).toEqual([keys[0], keys[0]]);
    const found = await api.get('panel/client?search=once', { token });
    expect(found.body.data.map((it: { id: string }) => it.id)).toEqual([data.id]);
  });
});

test('the example of the client runs', async () => {
  const example = fileURLToPath(new URL('../../../client/example.ts', import.meta.url));
  const env = { PATH: process.env['PATH'], PORTICO_URL: api.url, PORTICO_TOKEN: token };
  const kafe = await api.location(token, 'Kafe of the example');
  const { stdout } = await promisify(execFile)(process.execPath, [example], {
    env: { ...env, PORTICO_LOCATION: kafe },
  });
  expect(stdout).toMatch(/created once\n422 invalid \{ name: \[ 'This field is required.' \] \}\n$/);
});

describe('portico api', () => {
  const script = fileURLToPath(new URL('../cli.ts', import.meta.url));
  const run = promisify(execFile);
  const portico = (...args: string[]) =>
    run(process.execPath, [script, 'api', ...args], {
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        PORTICO_URL: api.url,
        PORTICO_TOKEN: token,
        PORTICO_TENANT: 'panel',
      },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);

  test('calls an operation by its name, and any path', async () => {
    const made = await portico('locations.create', '--data', '{"name":"Kafe"}');
    const { id } = JSON.parse(made.stdout).data;
    expect(JSON.parse((await portico('locations.get', `id=${id}`)).stdout).data.name).toBe('Kafe');
    const lines = (await portico('GET', '/v1/panel/location', 'per_page=1', '--all')).stdout.trim().split('\n');
    expect(lines.map(line => JSON.parse(line).name)).toEqual(expect.arrayContaining(['Kafe', 'Otel']));
    const refused = await portico('locations.create', '--data', '{}');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^422 .*"name"/);
    expect(await portico('locations.nothing')).toMatchObject({ code: 1, stdout: '' });
    expect((await portico('--list', 'session profile')).stdout).toContain('profiles.create');
  });
});
