import { createServer } from 'node:http';
import { registry } from '#lib/metrics.ts';
import type { Settings } from '../settings.ts';
import type { Service } from './service.ts';

/** Serves Prometheus metrics on a separate address, so that they are not public by accident. */
export async function startMetrics(settings: Settings): Promise<Service> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.METRICS_PORT, settings.METRICS_HOST, resolve);
  });
  return { stop: () => new Promise(resolve => server.close(() => resolve())) };
}
