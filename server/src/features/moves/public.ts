export * from './moves.queries.ts';
export { createPortalFinder, findLeaving as findLeavingTenant, refuseLeaving } from './moves.service.ts';
