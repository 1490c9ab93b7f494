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
} from './reports.queries.ts';
