import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  allowedProviders,
  decideTestPayment,
  findTestPayment,
  IntegrationError,
  paymentAccount,
} from '#features/integrations/public.ts';
import { notFound } from '#http/app-error.ts';
import { unavailableSeconds } from '#http/refusal.ts';
import type { App } from '#lib/app.ts';
import { escapeHtml } from '#lib/html.ts';
import { isId } from '#lib/ids.ts';
import { payerPage } from './payer-page.ts';
import { anyRouter, findHinted, readPurchase } from './purchases.queries.ts';
import { moneyText } from './receipt.service.ts';
import { isReturn } from './return-address.ts';
import { settle } from './settle.service.ts';

/** The addresses that payment providers call, and the page of the test provider. */

/** Asks the provider; false if it does not answer, so that it sends its notification again. */
async function settled(app: App, at: { tenantId: string; purchaseId: string }): Promise<boolean> {
  try {
    await settle(app, at);
    return true;
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    app.log.warn({ err: error, purchase: at.purchaseId }, 'the payment provider was not asked');
    return false;
  }
}

export function paymentRoutes(server: FastifyInstance, app: App): void {
  // Signatures cover the bytes of the body, so it is not parsed.
  void server.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { tenant: string; location: string } }>(
      '/pay/hook/:tenant/:location',
      async (request, reply) => {
        const { tenant: tenantId, location: locationId } = request.params;
        if (!isId(tenantId) || !isId(locationId)) throw notFound();
        const account = await paymentAccount(app, { tenantId, locationId });
        if (!account) throw notFound();
        const body = typeof request.body === 'string' ? request.body : '';
        const hint = account.webhook({ headers: request.headers, body });
        if (hint === undefined) return reply.code(400).type('text/plain; charset=utf-8').send('signature');
        const purchase = hint && (await app.db.withTenant(tenantId, tx => findHinted(tx, account.integrationId, hint)));
        if (purchase && !(await settled(app, { tenantId, purchaseId: purchase.id })))
          return reply
            .code(503)
            .header('retry-after', String(unavailableSeconds))
            .type('text/plain; charset=utf-8')
            .send('later');
        return reply.type('text/plain; charset=utf-8').send(account.received);
      },
    );
  });

  const comeBack = async (
    request: FastifyRequest<{ Params: { tenant: string; purchase: string; signature: string } }>,
    reply: FastifyReply,
  ) => {
    const { tenant: tenantId, purchase: purchaseId, signature } = request.params;
    if (!isId(tenantId) || !isId(purchaseId) || !isReturn(app, { tenantId, purchaseId, signature })) throw notFound();
    await settled(app, { tenantId, purchaseId });
    const purchase = await app.db.withTenant(tenantId, tx => readPurchase(tx, purchaseId));
    if (!purchase) throw notFound();
    // The cookie of the purchase is known at every router of the location.
    const nas = purchase.nas ?? (await app.db.withTenant(tenantId, tx => anyRouter(tx, purchase.location_id)));
    if (nas === undefined)
      return reply.type('text/html; charset=utf-8').send(payerPage(app, purchase, reply.nonce ?? ''));
    const { declined } = request.query as Record<string, unknown>;
    const more = declined === '1' ? '&declined=1' : '';
    return reply.redirect(`/w/${nas}/pay?check=1&lang=${purchase.language}${more}`, 303);
  };
  // Some providers send the guest back by a form.
  server.get('/pay/:tenant/:purchase/:signature', comeBack);
  server.post('/pay/:tenant/:purchase/:signature', comeBack);

  testPages(server, app);
}

interface AtTest {
  Params: { tenant: string; reference: string };
}

function testPages(server: FastifyInstance, app: App): void {
  const read = async ({ tenant, reference }: AtTest['Params']) => {
    const isOn = allowedProviders(app).includes('test-payment');
    if (!isOn || !isId(tenant) || !isId(reference)) throw notFound();
    const row = await app.db.withTenant(tenant, tx => findTestPayment(tx, reference));
    if (!row) throw notFound();
    return row;
  };
  server.get<AtTest>('/pay/test/:tenant/:reference', async (request, reply) => {
    const row = await read(request.params);
    const page = testPage(
      { title: row.title, amount: moneyText(row.amount, row.currency, 'en') },
      row.state === 'open' ? null : row.return_url,
      reply.nonce ?? '',
    );
    // The way back may lead through the router, and a form follows only the redirects that its page allows.
    const policy = String(reply.getHeader('content-security-policy'));
    reply.header('content-security-policy', policy.replace("form-action 'self'", "form-action 'self' http: https:"));
    return reply.type('text/html; charset=utf-8').send(page);
  });
  server.post<AtTest>('/pay/test/:tenant/:reference', async (request, reply) => {
    const row = await read(request.params);
    const { decide } = (request.body ?? {}) as { decide?: unknown };
    const state = decide === 'pay' ? 'paid' : 'failed';
    await app.db.withTenant(request.params.tenant, tx => decideTestPayment(tx, row.reference, state));
    return reply.redirect(row.return_url, 303);
  });
}

/** The provider's page in both languages: it takes no card, and no money. */
function testPage(it: { title: string; amount: string }, back: string | null, nonce: string): string {
  const way = back
    ? `<p><a class="button" href="${escapeHtml(back)}">Back · Geri dön</a></p>`
    : `<form method="post"><button class="button" name="decide" value="pay">Pay · Öde</button>
<button class="button plain" name="decide" value="decline">Decline · Reddet</button></form>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>Test provider</title><style nonce="${nonce}">*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:#eef1f5;color:#1a1d21;font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem;padding:1.75rem;border-radius:1rem;background:#fff;border-top:.375rem solid #b25000}h1{margin:0;font-size:1.25rem}p{margin:.5rem 0}strong{display:block;font-size:2rem;margin:.75rem 0}
.button{display:block;width:100%;min-height:3.125rem;margin-top:.75rem;padding:.75rem;border:0;border-radius:.75rem;background:#1f4fd8;color:#fff;font:600 1rem/1.5 inherit;font-family:inherit;text-align:center;text-decoration:none;cursor:pointer}.plain{background:#fff;color:#1a1d21;border:1px solid #6b7480}
:focus-visible{outline:3px solid #1f4fd8;outline-offset:2px}</style></head>
<body><main><h1>Test provider · Test sağlayıcısı</h1><p>No card is asked for and no money is taken.</p><p lang="tr">Kart istenmez, para alınmaz.</p><p>${escapeHtml(it.title)}</p><strong>${escapeHtml(it.amount)}</strong>${way}</main></body></html>`;
}
