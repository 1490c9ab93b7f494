export { unknownDeviceCommands } from './unknown-devices.cli.ts';
export { unknownDeviceJobs } from './unknown-devices.jobs.ts';
export { unknownDeviceHandlers } from './unknown-devices.radius.ts';
