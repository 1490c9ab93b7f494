export { integrationJobs } from './integrations.jobs.ts';
export { beginSocial, finishSocial } from './openid/sign-in.ts';
export { readNow } from './pms/sync.ts';
export { ownGateway } from './sms/own-gateway.ts';
export { ownMail } from './smtp/own-mail.ts';
