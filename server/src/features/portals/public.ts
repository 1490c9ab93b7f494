export { countPortals } from './portals.queries.ts';
