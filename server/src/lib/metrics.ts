import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
collectDefaultMetrics({ register: registry });
// Gauges with the name of a counter. `nodejs_active_handles` and the others say the same by type.
for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);

const requests = new Histogram({
  name: 'portico_http_request_seconds',
  help: 'Time to answer an HTTP request',
  labelNames: ['service', 'method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

/** Times and logs every request of a server, by route and not by address, so that nothing personal is kept. */
export function observe(server: FastifyInstance, service: string): void {
  // Finding a series by its labels takes longer than adding to it.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  server.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'other';
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'request');
    const key = `${request.method} ${reply.statusCode} ${route}`;
    const known = series.get(key) ?? requests.labels(service, request.method, route, String(reply.statusCode));
    series.set(key, known);
    known.observe(reply.elapsedTime / 1000);
    next();
  });
}

/** A counter by name, made at first use. */
export function counter(name: string, help: string, labelNames: string[] = []): Counter {
  return (
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames, registers: [registry] })
  );
}

/** A gauge by name, made at first use. `collect` sets it when the metrics are asked for. */
export function gauge(name: string, help: string, labelNames: string[] = [], collect?: (it: Gauge) => void): Gauge {
  return (
    (registry.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      ...(collect && {
        collect() {
          collect(this as Gauge);
        },
      }),
    })
  );
}

/** A histogram of durations by name, made at first use. */
export function histogram(name: string, help: string, labelNames: string[]): Histogram {
  return (
    (registry.getSingleMetric(name) as Histogram | undefined) ??
    new Histogram({
      name,
      help,
      labelNames,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    })
  );
}
