export { packageJobs } from './packages.jobs.ts';
export { listOffered, type OfferedPackage } from './packages.queries.ts';
export {
  claimCheckout,
  findByCode,
  findCharging,
  findRunning,
  giveWindow,
  insertPurchase,
  lockPurchase,
  readPurchase,
  type StoredPurchase,
  takeWindowBack,
  updatePurchase,
  windowsToday,
} from './purchases.queries.ts';
export { sendReceipt } from './receipt.service.ts';
export { returnPath } from './return-address.ts';
export { settle } from './settle.service.ts';
