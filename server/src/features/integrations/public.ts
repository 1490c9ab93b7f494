export { stopHotelLinks } from './fias/links.jobs.ts';
export { integrationJobs } from './integrations.jobs.ts';
export { beginSocial, type Checks, finishSocial } from './openid/sign-in.ts';
export { readNow } from './pms/sync.ts';
export { ownGateway } from './sms/own-gateway.ts';
export { ownMail } from './smtp/own-mail.ts';
