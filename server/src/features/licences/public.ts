export { licencePaymentRoutes } from './licence-hook.captive.ts';
export { licenceJobs } from './licences.jobs.ts';
