import { locationForm } from '@portico/contract/locations.ts';

/** The parts of the location schema for its forms. */
export const newLocation = locationForm.pick({
  name: true,
  country: true,
  city: true,
  district: true,
  portal_id: true,
});
export const generalLocation = locationForm.pick({
  name: true,
  country: true,
  city: true,
  district: true,
  time_zone: true,
  portal_id: true,
  portal_periods: true,
  default_profile_id: true,
});
