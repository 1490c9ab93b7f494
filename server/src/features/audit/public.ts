export { exportedLocation, keepsRights } from './audit.queries.ts';
export { audit, type Doer, type Entry } from './audit.service.ts';
export { exportRows } from './export-rows.ts';
