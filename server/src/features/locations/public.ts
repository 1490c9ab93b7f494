export { andVisible, profileOf, portalUsable, reachesLocation } from './locations.queries.ts';
export { chooseLocation, createFirstLocation } from './locations.service.ts';
