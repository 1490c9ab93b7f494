import { locationForm } from '@portico/contract/locations.ts';

/** What the form of a new customer sends. */
export const newCustomer = locationForm.pick({
  name: true,
  country: true,
  city: true,
  district: true,
  available_providers: true,
  sms_limit: true,
  portal_id: true,
});
