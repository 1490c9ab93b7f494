export { findPrice, profilesByName } from './profiles.queries.ts';
export { createProfile } from './profiles.routes.ts';
