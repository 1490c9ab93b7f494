export { findSale, insertReversal, listSales, listSalesOf, lockSale, recordSales } from './reports.queries.ts';
