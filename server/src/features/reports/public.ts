export {
  findSale,
  insertReversal,
  listSales,
  listSalesOf,
  lockSale,
  recordPurchaseSale,
  recordSales,
  recordVoucherSale,
  reversePurchaseSale,
  soldNow,
} from './reports.queries.ts';
