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
  trialLeft,
} from './locations.queries.ts';
export { chooseLocation, createFirstLocation, licenseLocation } from './locations.service.ts';
