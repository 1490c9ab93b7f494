import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import type { TextQuery } from '#routers/driver.ts';
import { answerGateway, takeReport } from './gateways.service.ts';

interface AtGateway {
  Params: { nas: string; token: string };
}

/** A report names every guest of the gateway. */
const maxReportBytes = 2 ** 20;

const textFields = (values: unknown): TextQuery =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && unstorable(pair[1]) === undefined,
    ),
  );

/**
 * The calls of gateways that fetch permissions (decision 099). Their guests arrive by the same path. Answers are plain text,
 * which a shell on the gateway reads; a refusal is empty.
 */
export function gatewayRoutes(
  server: FastifyInstance,
  app: App,
  arrive: (request: FastifyRequest<AtGateway>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const send = (reply: FastifyReply, answer: string | undefined) =>
    reply
      .code(answer === undefined ? 404 : 200)
      .type('text/plain; charset=utf-8')
      .send(answer ?? '');

  const path = '/w/:nas/:token(^[0-9a-f]{32}$)';
  server.get<AtGateway>(path, async (request, reply) => {
    const fields = textFields(request.query);
    if (fields['auth_get'] === undefined) return arrive(request, reply);
    return send(reply, await answerGateway(app, request.params, fields));
  });
  server.post<AtGateway>(path, async (request, reply) =>
    send(reply, await answerGateway(app, request.params, textFields(request.body))),
  );
  server.register(async scope => {
    // The tools of small systems send any text as a form.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxReportBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<AtGateway>('/w/:nas/script/:token(^[0-9a-f]{32}$)', async (request, reply) =>
      send(reply, await takeReport(app, request.params, typeof request.body === 'string' ? request.body : '')),
    );
  });
}
