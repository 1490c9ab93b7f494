export {
  addBoughtDays,
  findBuyer,
  hasMinutes,
  insertBuyer,
  mayConnect,
  reopenBuyer,
  takeBoughtDays,
} from './bought-days.queries.ts';
export { eraseContact, eraseVisitor, forgetErased, keepForLaw } from './erasure.queries.ts';
export { type ImportedVisitor, insertForeign, updateForeign } from './foreign-visitors.queries.ts';
export { applyStays, endHotelGuests, type Stay } from './hotel-guests.queries.ts';
export { momentsAt } from './import.queries.ts';
export { visitorsNamed } from './named.queries.ts';
export {
  changeAddress,
  confirmVisitorEmail,
  type FreeAccount,
  insertBySubject,
  insertFree,
  insertGuest,
  keepContact,
  startAgain,
  type Terms,
} from './portal-visitors.queries.ts';
export { addedBefore, findVisitors, spelledLike, visitorsMatching } from './visitors.queries.ts';
export {
  addVoucherTime,
  canAddVoucher,
  extendVoucherGuests,
  insertVoucherGuest,
  lockParts,
  lockVoucherGuest,
  shortenVoucherGuests,
} from './voucher-guests.queries.ts';
export { secondsKept } from './voucher-parts.ts';
