export { certificateJobs } from './certificates.jobs.ts';
export { certificateHandlers, radsecAuthority, radsecSecret } from './certificates.radius.ts';
export { commandJobs } from './commands.jobs.ts';
export { pushLogout } from './commands.service.ts';
export { openController } from './controllers.service.ts';
export { refuseGuests } from './deletion.queries.ts';
export { countDevices, findDevices, online } from './devices.queries.ts';
export { markArrival, markBadSecret, markUnsigned } from './doctor.queries.ts';
export { noteRefusedHost } from './login-hosts.service.ts';
export {
  findDeviceAtHost,
  findDeviceByNas,
  findDeviceBySerial,
  findDevicesByNas,
  markReported,
  markSeen,
  requireMessageAuthenticator,
} from './radius.queries.ts';
export { watchJobs } from './watch.jobs.ts';
