export { recordSales } from './reports.queries.ts';
