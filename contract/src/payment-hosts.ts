import type { PaymentSlug } from './integration-names.ts';

/** The hosts that guests must reach before they are online, to pay there. The bank of a card may be anywhere. */
export const paymentHosts: Readonly<Record<PaymentSlug, readonly string[]>> = {
  'test-payment': [],
  stripe: [
    'checkout.stripe.com',
    'js.stripe.com',
    'api.stripe.com',
    'hooks.stripe.com',
    'm.stripe.com',
    'q.stripe.com',
    'r.stripe.com',
    'b.stripecdn.com',
    'm.stripe.network',
  ],
  iyzico: [
    'api.iyzipay.com',
    'cpp.iyzipay.com',
    'static.iyzipay.com',
    'sandbox-api.iyzipay.com',
    'sandbox-cpp.iyzipay.com',
    'sandbox-static.iyzipay.com',
  ],
  paytr: ['www.paytr.com'],
};
