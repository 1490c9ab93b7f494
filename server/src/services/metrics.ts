import Fastify from 'fastify';
import type { App } from '#lib/app.ts';
import { mayBeRebound } from '#lib/dns-rebinding.ts';
import { gauge, registry } from '#lib/metrics.ts';
import { watchClock } from './clock-watch.ts';
import { healthRoutes, type Readiness } from './readiness.ts';
import type { Service } from './service.ts';

/**
 * Serves the metrics and the health of this process on a separate address, so that metrics are not public by accident. Every
 * process has it.
 */
export async function startMetrics(app: App, readiness: Readiness): Promise<Service> {
  const { settings } = app;
  const server = Fastify();
  watchPool(app);
  server.addHook('onRequest', async (request, reply) => {
    // A page in the browser of a reader who sits at this machine must not read the metrics.
    if (mayBeRebound(settings.METRICS_HOST, request.hostname, ownNames))
      return reply.code(421).type('text/plain; charset=utf-8').send('Use localhost, or the address of METRICS_HOST.\n');
  });
  // `portico doctor` reads the services here: a process may have them from its command line.
  healthRoutes(server, app, readiness, { services: settings.SERVICES });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  await server.listen({ port: settings.METRICS_PORT, host: settings.METRICS_HOST });
  const endWatch = watchClock(app);
  return {
    stop: async () => {
      endWatch();
      server.server.closeAllConnections();
      await server.close();
    },
  };
}

/** Browsers send one of these for this machine. HTTP/1.0 needs no Host. */
const ownNames = /^$|(^|\.)localhost\.?$/;

/** A caller fails if it waits longer than 5 s for a connection, so waiting callers are an early sign. */
function watchPool({ db: { pool } }: App): void {
  gauge('portico_database_connections_max', 'Largest number of connections of the pool').set(pool.options.max);
  gauge('portico_database_connections', 'Database connections of the pool, by state', ['state'], it => {
    it.set({ state: 'idle' }, pool.idleCount);
    it.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
  });
  gauge('portico_database_waiting', 'Callers that wait for a database connection', [], it => it.set(pool.waitingCount));
}
