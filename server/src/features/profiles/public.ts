export { findPrice } from './profiles.queries.ts';
export { createProfile } from './profiles.service.ts';
