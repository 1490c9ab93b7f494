export { countDevices, online } from './devices.queries.ts';
export { findDeviceByNas, markSeen, requireMessageAuthenticator } from './radius.queries.ts';
