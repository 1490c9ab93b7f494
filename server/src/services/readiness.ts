import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { DatabaseState } from '#db/tenant.ts';
import { unavailableSeconds } from '#http/refusal.ts';
import type { App } from '#lib/app.ts';

type ProcessState = 'starting' | 'running' | 'draining';

/** Whether a load balancer should send requests to this process. */
export interface Readiness {
  /** Set by the start and the stop of the process. */
  process: ProcessState;
  /** Whether this process has the key of the database; see watchKey. */
  readonly hasKey?: () => boolean;
}

export type ReadyStatus = DatabaseState | 'other-key' | Exclude<ProcessState, 'running'>;

/** `portico health` waits for 4 seconds, a container for 10 with the start of the command. */
const patienceMs = 3000;

/** `ok`, or the reason why the process should get no requests. */
export async function readyStatus(app: Pick<App, 'db'>, readiness: Readiness): Promise<ReadyStatus> {
  if (readiness.process !== 'running') return readiness.process;
  if (readiness.hasKey?.() === false) return 'other-key';
  // A pooler keeps a query for minutes while its server is away.
  return Promise.race([app.db.state(), sleep(patienceMs, 'away' as const, { ref: false })]);
}

/** `/healthz` is 200 while the process responds, `/readyz` while it should get requests. `about` is added to the first one. */
export function healthRoutes(server: FastifyInstance, app: App, readiness: Readiness, about: object = {}): void {
  server.get('/healthz', () => ({ status: 'ok', ...about }));
  server.get('/readyz', async (_request, reply) => {
    const status = await readyStatus(app, readiness);
    if (status === 'ok') return { status };
    return reply.code(503).header('retry-after', String(unavailableSeconds)).send({ status });
  });
}
