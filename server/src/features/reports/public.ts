export {
  findSale,
  insertReversal,
  listReversedToday,
  listSales,
  listSalesOf,
  lockSale,
  recordPurchaseSale,
  recordSales,
  recordVoucherSale,
  reversePurchaseSale,
  soldNow,
} from './reports.queries.ts';
export { exportSales } from './sales-file.ts';
