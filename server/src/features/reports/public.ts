export {
  findSale,
  insertReversal,
  listSales,
  listSalesOf,
  lockSale,
  recordSales,
  recordVoucherSale,
  soldNow,
} from './reports.queries.ts';
