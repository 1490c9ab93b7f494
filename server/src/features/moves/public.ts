export {
  announceRouters,
  beginArriving,
  beginLeaving,
  beginRemoving,
  deleteArrivingRouter,
  deleteMove,
  findLeavingRouter,
  findMove,
  findMoveOf,
  frozenTenant,
  type MoveRow,
  restoreLeft,
  setLeft,
  setMoved,
  tenantToMove,
  writableTenants,
} from './moves.queries.ts';
export { createPortalFinder, findLeaving as findLeavingTenant, refuseLeaving } from './moves.service.ts';
