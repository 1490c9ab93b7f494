export { audit, type Doer, type Entry } from './audit.service.ts';
