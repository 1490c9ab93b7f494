export { gatewayRoutes } from './gateways.captive.ts';
export { gatewayJobs } from './gateways.jobs.ts';
export { queueGrant } from './gateways.service.ts';
