export { audit } from './audit.service.ts';
