export { recordAgent } from './statistics.service.ts';
