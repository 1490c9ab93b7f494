export { reportsRoute } from '#features/reports/reports.route.tsx';
