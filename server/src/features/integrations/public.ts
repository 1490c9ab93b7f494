export { hotelHookRoutes } from './cloud/hook.ts';
export { stopHotelLinks } from './hotel/links.jobs.ts';
export { integrationJobs } from './integrations.jobs.ts';
export { beginSocial, finishSocial } from './openid/sign-in.ts';
export {
  allowedProviders,
  licenceAccount,
  licenceSourceOf,
  type PaymentSource,
  paymentAccount,
  roomBills,
  sourceOf,
  traitsOf,
} from './payment/account.ts';
export { confirmCounted } from './payment/checks.ts';
export { holdAccount } from './payment/closed-accounts.queries.ts';
export { mayBeBack, type Outcome } from './payment/driver.ts';
export { decideTestPayment, findTestPayment } from './payment/test-payments.queries.ts';
export { findWaysToPay, type WaysToPay } from './payment/ways-to-pay.queries.ts';
export { readNow } from './pms/sync.ts';
export { IntegrationError } from './problems.ts';
export { ownGateway } from './sms/own-gateway.ts';
export { ownMail } from './smtp/own-mail.ts';
export { tellLicence } from './webhook/deliveries.queries.ts';
