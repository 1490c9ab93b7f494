import type { unknownDevicesApi } from '@portico/contract/unknown-devices.ts';
import type { Handlers } from '#http/call.ts';
import { listUnknownDevices } from './unknown-devices.service.ts';

export const unknownDevicesRoutes: Handlers<typeof unknownDevicesApi> = {
  list: async call => ({ data: await listUnknownDevices(call) }),
};
