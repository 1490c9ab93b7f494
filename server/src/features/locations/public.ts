export {
  andVisible,
  daysLeft,
  endAfter,
  findLocation,
  givePortal,
  licensed,
  portalUsable,
  profileOf,
  reachesLocation,
  setDefaultProfile,
} from './locations.queries.ts';
export { chooseLocation, createFirstLocation, licenseLocation } from './locations.service.ts';
