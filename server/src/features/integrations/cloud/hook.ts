import type { FastifyInstance } from 'fastify';
import { notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { isId } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { isSignedFor, signFor } from '#lib/secrets.ts';
import { askLink } from '../hotel/hotel-links.queries.ts';
import { cloudPace } from './pace.ts';

/**
 * Where hotel systems in the cloud report changes. Neither Mews nor Apaleo signs its reports; Mews offers a secret in the
 * address. So the address is secret, and a report is a hint only: the guests are read again, nothing in it is believed.
 */

interface At {
  readonly tenantId: string;
  readonly integrationId: string;
}

const maxBytes = 262_144;

const textOf = ({ tenantId, integrationId }: At): string => `hotel hook ${tenantId} ${integrationId}`;
const digits = 40;
const secretOf = ({ secrets }: App, at: At): string => signFor(secrets, at.tenantId, textOf(at), digits);
const isSecretOf = ({ secrets }: App, at: At, given: string): boolean =>
  isSignedFor(secrets, at.tenantId, textOf(at), given, digits);

export const hotelHookUrl = (app: App, slug: string, at: At): string =>
  `${captiveOrigin(app.settings, slug)}/hotel/hook/${at.tenantId}/${at.integrationId}/${secretOf(app, at)}`;

export function hotelHookRoutes(server: FastifyInstance, app: App): void {
  void server.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, _body, done) => done(null));
    scope.post<{ Params: { tenant: string; integration: string; secret: string } }>(
      '/hotel/hook/:tenant/:integration/:secret',
      { bodyLimit: maxBytes },
      async (request, reply) => {
        const { tenant: tenantId, integration: integrationId, secret } = request.params;
        const at = { tenantId, integrationId };
        // A stranger costs no query.
        if (!isId(tenantId) || !isId(integrationId) || !isSecretOf(app, at, secret)) throw notFound();
        if (!(await app.db.withTenant(tenantId, tx => askLink(tx, integrationId, cloudPace.reportSeconds))))
          throw notFound();
        return reply.code(204).send();
      },
    );
  });
}
