export {
  andVisible,
  daysLeft,
  givePortal,
  portalUsable,
  profileOf,
  reachesLocation,
  setDefaultProfile,
} from './locations.queries.ts';
export { chooseLocation, createFirstLocation } from './locations.service.ts';
