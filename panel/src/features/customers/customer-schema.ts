import { locationForm } from '@portico/contract/locations.ts';

/** The schema of the form for a new customer. */
export const newCustomer = locationForm.pick({
  name: true,
  country: true,
  city: true,
  district: true,
  available_providers: true,
  sms_limit: true,
  portal_id: true,
});
