import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { steadyNow } from '#lib/steady-clock.ts';
import { limitConnections } from './http-connections.ts';
import type { Readiness } from './readiness.ts';
import type { Service } from './service.ts';

export interface WebServerOptions {
  readonly host: string;
  readonly port: number;
  readonly readiness: Readiness;
  /** How long requests may take after `stop` was called. */
  readonly finishMs: number;
  /** By default as many as the process may open files for. */
  readonly maxConnections?: number;
}

const checkMs = 50;
/** A busy process may never have a short turn, and must stop nevertheless. */
const quietMs = 2000;
/** In a longer turn, connections arrive after the port was looked at. */
const shortTurnMs = 0.5;

/**
 * Listens, and stops without aborting a request. While the process drains, each response closes its connection, so that a proxy
 * does not reuse one that is about to be closed.
 */
export async function startWebServer(server: FastifyInstance, options: WebServerOptions): Promise<Service> {
  const { readiness, finishMs } = options;
  limitConnections(server, options.maxConnections);
  const streams = new Set<ServerResponse>();
  server.addHook('onSend', (_request, reply, payload, next) => {
    if (readiness.process === 'draining') reply.header('connection', 'close');
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) {
      streams.add(reply.raw);
      reply.raw.once('close', () => streams.delete(reply.raw));
    }
    next(null, payload);
  });
  await server.listen({ port: options.port, host: options.host });
  return {
    async stop() {
      const http = server.server;
      await quietTurn(http);
      let open = true;
      // The port at once: before it, http.close() would end each idle connection, while new ones wait for it and are lost.
      NetServer.prototype.close.call(http, () => {
        open = false;
      });
      // Event streams have no end of their own. Browsers connect again, to another process.
      for (const stream of streams) stream.destroy();
      for (const until = steadyNow() + finishMs; open && steadyNow() < until; await sleep(checkMs))
        http.closeIdleConnections();
      http.closeAllConnections();
      await server.close();
    },
  };
}

/**
 * Waits for a short turn of the event loop without a new connection or request. A closed port resets connections that wait to be
 * accepted, one of which is accepted per turn. A closed connection loses a request that was not read yet.
 */
async function quietTurn(http: Server): Promise<void> {
  let arrived = false;
  const note = () => {
    arrived = true;
  };
  http.on('connection', note).on('request', note);
  // Two in a row, because the first one may have begun before.
  for (let quiet = 0, until = steadyNow() + quietMs; quiet < 2 && steadyNow() < until; ) {
    arrived = false;
    const from = performance.now();
    await nextTurn();
    quiet = arrived || performance.now() - from > shortTurnMs ? 0 : quiet + 1;
  }
  http.off('connection', note).off('request', note);
}
