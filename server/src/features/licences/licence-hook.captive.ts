import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IntegrationError, licenceAccount } from '#features/integrations/public.ts';
import { servesPanel } from '#features/tenants/public.ts';
import { notFound } from '#http/app-error.ts';
import { unavailableSeconds } from '#http/refusal.ts';
import type { App } from '#lib/app.ts';
import { isId } from '#lib/ids.ts';
import { isSignedFor, signFor } from '#lib/secrets.ts';
import { panelLink } from '#mail/links.ts';
import { findHinted, noteReturn, readPayment } from './licence-payments.queries.ts';
import { settleLicence } from './licence-settle.service.ts';

/** The addresses that payment providers call about licences, and to which they send the buyer. */

const digits = 32;
const textOf = (tenantId: string, paymentId: string): string => `licence payment ${tenantId} ${paymentId}`;

/** The signature keeps strangers from having providers asked. */
export const licenceReturnPath = (app: App, tenantId: string, paymentId: string): string =>
  `/pay/licence/${tenantId}/${paymentId}/${signFor(app.secrets, tenantId, textOf(tenantId, paymentId), digits)}`;

/** Asks the provider; false if it does not answer, so that it sends its notification again. */
async function settled(app: App, at: { tenantId: string; paymentId: string }): Promise<boolean> {
  try {
    await settleLicence(app, at);
    return true;
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    app.log.warn({ err: error, payment: at.paymentId }, 'the payment provider was not asked');
    return false;
  }
}

export function licencePaymentRoutes(server: FastifyInstance, app: App): void {
  // Signatures cover the bytes of the body, so it is not parsed.
  void server.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { tenant: string } }>('/pay/licence-hook/:tenant', async (request, reply) => {
      const { tenant: tenantId } = request.params;
      if (!isId(tenantId)) throw notFound();
      const account = await licenceAccount(app, tenantId);
      if (!account) throw notFound();
      const body = typeof request.body === 'string' ? request.body : '';
      const hint = account.webhook({ headers: request.headers, body });
      if (hint === undefined) return reply.code(400).type('text/plain; charset=utf-8').send('signature');
      const payment = hint && (await app.db.withTenant(tenantId, tx => findHinted(tx, account.integrationId, hint)));
      if (payment && !(await settled(app, { tenantId, paymentId: payment.id })))
        return reply
          .code(503)
          .header('retry-after', String(unavailableSeconds))
          .type('text/plain; charset=utf-8')
          .send('later');
      return reply.type('text/plain; charset=utf-8').send(account.received);
    });
  });

  interface Back {
    Params: { tenant: string; payment: string; signature: string };
  }
  const comeBack = async (request: FastifyRequest<Back>, reply: FastifyReply) => {
    const { tenant: tenantId, payment: paymentId, signature: given } = request.params;
    const isOurs =
      isId(tenantId) &&
      isId(paymentId) &&
      isSignedFor(app.secrets, tenantId, textOf(tenantId, paymentId), given, digits);
    if (!isOurs) throw notFound();
    await settled(app, { tenantId, paymentId });
    const { payment, isHost } = await app.db.withTenant(tenantId, async tx => {
      await noteReturn(tx, paymentId);
      const payment = await readPayment(tx, paymentId);
      return { payment, isHost: !!payment?.host && (await servesPanel(tx, app.settings, payment.host)) };
    });
    if (!payment) throw notFound();
    const { location_id: location, years } = payment;
    const query = { payment: paymentId, ...(location && { location }), year: String(years) };
    const target = new URL(panelLink(app.settings, payment.slug, '/onboarding/subscribe/payment', query));
    // The buyer is signed in where the payment was begun.
    if (isHost) target.hostname = payment.host;
    return reply.redirect(target.href, 303);
  };
  // Some providers send the buyer back by a form.
  server.get<Back>('/pay/licence/:tenant/:payment/:signature', comeBack);
  server.post<Back>('/pay/licence/:tenant/:payment/:signature', comeBack);
}
