export { integrationJobs } from './integrations.jobs.ts';
export { beginSocial, type Checks, finishSocial } from './openid/sign-in.ts';
export { allowedProviders, type PaymentAccount, paymentAccount } from './payment/account.ts';
export type { Outcome } from './payment/driver.ts';
export { decideTestPayment, findTestPayment } from './payment/test-payments.queries.ts';
export { readNow } from './pms/sync.ts';
export { IntegrationError } from './problems.ts';
export { ownGateway } from './sms/own-gateway.ts';
export { ownMail } from './smtp/own-mail.ts';
