export { SalesList } from '#features/reports/sales-list.tsx';
