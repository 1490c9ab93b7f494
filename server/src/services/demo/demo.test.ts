import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startApi } from '#test/harness.ts';
import { freePorts, startProcess } from '#test/process.ts';
import { account } from './account.ts';
import { startDemo } from './demo.ts';
import { signIn } from './panel.ts';
import { sample } from './sample.ts';

interface Listed {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string | null;
}

test('the demo shows guests who sign in, past sessions and vouchers, after a first start that was killed as well', {
  // Two starts and the steps of the sample, each with a limit of its own.
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-demo-'));
  const ports = await freePorts();
  // One address only, as on a server with several: nothing answers at 127.0.0.1.
  const at = '127.0.0.2';
  const start = () => startProcess(folder, { ...ports, NODE_ENV: 'development', DEMO: '1', HOST: at, UDP_HOST: at });
  let server = await start();
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  // The account is added once the server is ready.
  const url = `http://${at}:${ports.PORT}`;
  const signedIn = () => vi.waitFor(() => signIn(url, account), { timeout: 120_000, interval: 1000 });
  let panel = await signedIn();
  await expect.poll(() => panel.get<Listed[]>('panel/portal'), { interval: 100 }).not.toEqual([]);
  // The next start goes on with what this one leaves unfinished.
  await server.killEverything();
  expect(existsSync(path.join(folder, 'demo-progress'))).toBe(true);
  server = await start();
  panel = await signedIn();
  // The simulator counts guests once they have a session; the demo's arrive within ten seconds.
  await expect.poll(() => panel.get<Listed[]>('panel/onlines'), { interval: 500 }).not.toEqual([]);
  expect(await panel.get<Listed[]>('panel/voucher-batch')).toHaveLength(4);
  // One venue sells, and its account takes no money.
  expect(await panel.get('panel/package')).toMatchObject([{ location: { name: 'Otel Mavi Koy' }, is_active: true }]);
  expect(await panel.get('panel/integration')).toMatchObject([{ integration_id: 'test-payment' }]);
  const visitors = await panel.get<Listed[]>('panel/client?per_page=100');
  expect(visitors).toHaveLength(48);
  const seen = visitors.filter(it => it.last_seen_at !== null);
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter(it => it.last_seen_at! < it.created_at)).toEqual([]);
  expect(await panel.get<Listed[]>('panel/location')).toHaveLength(sample.length);
  expect(await panel.get<Listed[]>('panel/portal')).toHaveLength(sample.length);
  expect(existsSync(path.join(folder, 'demo-progress'))).toBe(false);
  // A notice that something is missing would be the first thing in the editor.
  for (const { id } of await panel.get<Listed[]>('panel/portal'))
    expect(await panel.get<{ warnings: string[] }>(`panel/portal/${id}`)).toMatchObject({ warnings: [] });
});

test.each([
  ['its password or the rules of the tenant were changed', 403, { code: 'sso_required' }],
  ['it has a second factor', 200, { data: { challenge: 'second factor' } }],
])('the product starts without the demo if %s', async (_why, status, body) => {
  const panel = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>(resolve => panel.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void panel.close());
  const { app, tenantId } = await startApi();
  const settings = { ...app.settings, PORT: (panel.address() as AddressInfo).port };
  const demo = await startDemo({ ...app, settings }, { tenantId: await tenantId('panel'), root: '/' });
  expect(demo.lines).toEqual([expect.stringContaining('off, because demo@portico.local can no longer sign in')]);
  await demo.stop();
});

test('the product starts without the demo where its sample data is refused, after it was tried again', async () => {
  const made: string[] = [];
  const panel = createServer((request, response) => {
    if (request.method === 'POST') made.push(request.url!);
    const data = request.method === 'GET' ? [] : { id: `${made.length}`, token: 'a token', url: '/x.png' };
    response.writeHead(request.url!.includes('qrmenu') ? 422 : 200).end(JSON.stringify({ data }));
  });
  await new Promise<void>(resolve => panel.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void panel.close());
  const { app, tenantId } = await startApi();
  const settings = { ...app.settings, PORT: (panel.address() as AddressInfo).port };
  const demo = await startDemo({ ...app, settings }, { tenantId: await tenantId('panel'), root: '/' });
  expect(demo.lines).toEqual([expect.stringContaining('off, because its sample data was changed')]);
  expect(made.filter(it => it.includes('qrmenu'))).toHaveLength(3);
  // The steps before the refused one are not made again.
  expect(made.filter(it => it === '/v1/panel/location')).toHaveLength(1);
  await demo.stop();
});

test('a call of the demo waits while the server is busy', async () => {
  const answers = [503, 503, 200];
  const panel = createServer((_request, response) =>
    response
      .writeHead(answers.shift() ?? 500, { 'retry-after': '0' })
      .end(JSON.stringify({ data: { token: 'a token' } })),
  );
  await new Promise<void>(resolve => panel.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void panel.close());
  await signIn(`http://127.0.0.1:${(panel.address() as AddressInfo).port}`, account);
  expect(answers).toEqual([]);
});
