export { audit, type Entry } from './audit.service.ts';
