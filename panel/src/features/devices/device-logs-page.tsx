import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { LogFiles } from '#features/logs/public.ts';

/** The log files of a device, and how its legal record stands. */
export const DeviceLogsPage = () => <DeviceScreen>{device => <LogFiles deviceId={device.id} />}</DeviceScreen>;
