export * from './moves.queries.ts';
export { createPortalFinder, findLeaving as findLeavingTenant, type Leaving, refuseLeaving } from './moves.service.ts';
