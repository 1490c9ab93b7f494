export { countDevices } from './devices.queries.ts';
export { findDeviceByNas, markSeen, type RadiusDeviceRow, requireMessageAuthenticator } from './radius.queries.ts';
