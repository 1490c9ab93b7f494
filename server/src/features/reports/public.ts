export {
  findSale,
  insertReversal,
  listSales,
  listSalesOf,
  lockSale,
  recordSales,
  recordVoucherSale,
} from './reports.queries.ts';
