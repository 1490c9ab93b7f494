import { get } from 'node:http';
import { expect, test } from 'vitest';
import { startMetrics } from '../../services/metrics.ts';
import { afterFile } from '../after-file.ts';
import { startApp } from '../harness.ts';
import { freePort } from '../process.ts';

/**
 * The attack: a web page leads its own host name to 127.0.0.1 (DNS rebinding). In the browser of the operator it reads the
 * metrics that only this machine may see.
 */

async function statusAt(host: string, METRICS_HOST: string): Promise<(name: string, path?: string) => Promise<number>> {
  const port = await freePort();
  const metrics = await startMetrics(await startApp({ METRICS_PORT: String(port), METRICS_HOST }), {
    process: 'running',
  });
  afterFile(() => metrics.stop());
  return (name, path = '/metrics') =>
    new Promise((resolve, reject) => {
      get({ host, port, path, headers: { host: name } }, answer => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      }).on('error', reject);
    });
}

test('metrics of this machine are read under its own names only', async () => {
  const status = await statusAt('127.0.0.1', '127.0.0.1');
  for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8082'])
    for (const path of ['/metrics', '/readyz']) expect(await status(name, path), name).toBe(421);
  for (const name of ['localhost:8082', '127.0.0.1:8082', '[::1]:8082', 'localhost'])
    expect(await status(name)).toBe(200);
});

test('metrics on an address of the network keep the name that the network gives it', async () => {
  const status = await statusAt('127.0.0.1', '0.0.0.0');
  expect(await status('portico.monitoring.svc:8082')).toBe(200);
});
