import type { licencePaymentsApi } from '@portico/contract/licence-payments.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { findPayment, findTerms, listPayments } from './licence-payments.queries.ts';
import { checkPayment, getOffer, payLicence, refundPayment, setTerms } from './licence-payments.service.ts';

export const licencePaymentsRoutes: Handlers<typeof licencePaymentsApi> = {
  offer: async call => ({ data: await getOffer(call, call.params.id) }),
  terms: async ({ inTenant }) => ({ data: (await inTenant(findTerms)) ?? null }),
  setTerms: async call => ({ data: await setTerms(call, call.body) }),
  pay: async call => {
    const { year, expected_end_at: expected } = call.body;
    return { data: await payLicence(call, { locationId: call.params.id, year, expected }) };
  },
  get: async ({ inTenant, params }) => ({
    data: await inTenant(async tx => found(await findPayment(tx, params.paymentId, params.id))),
  }),
  list: async call => paged(call, await call.inTenant(tx => listPayments(tx, call.query))),
  check: async call => ({ data: await checkPayment(call, call.params.id) }),
  refund: async call => ({ data: await refundPayment(call, call.params.id, call.body.reason) }),
};
