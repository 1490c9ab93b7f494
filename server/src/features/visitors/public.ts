export { eraseContact, eraseVisitor, forgetErased, keepForLaw } from './erasure.queries.ts';
export { applyStays, type Stay } from './hotel-guests.queries.ts';
export {
  changeAddress,
  confirmVisitorEmail,
  type FreeAccess,
  type FreePeriod,
  insertBySubject,
  insertFree,
  insertGuest,
  keepContact,
  startAgain,
} from './portal-visitors.queries.ts';
