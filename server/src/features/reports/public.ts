export { listSalesOf, recordSales } from './reports.queries.ts';
