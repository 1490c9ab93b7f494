import { deviceForm } from '@portico/contract/devices.ts';

/** The schemas of the wizard: the device, and the limits of its guests. */
export const firstDevice = deviceForm.pick({
  brand_id: true,
  name: true,
  mac_address: true,
  location_id: true,
  secret: true,
  user_profile: true,
});
