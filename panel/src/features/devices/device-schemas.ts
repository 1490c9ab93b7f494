import { deviceForm, deviceUpdate } from '@portico/contract/devices.ts';

/** The schemas of the device forms. */
export const newDevice = deviceForm.pick({
  brand_id: true,
  name: true,
  mac_address: true,
  location_id: true,
  secret: true,
});
export const changedDevice = deviceUpdate
  .pick({
    name: true,
    mac_address: true,
    model_id: true,
    hotspot_address: true,
    logging_enabled: true,
    portal_periods: true,
  })
  .required({ name: true, mac_address: true });
export { connectionForm as connection } from '@portico/contract/router-control.ts';
