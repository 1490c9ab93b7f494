import { DeviceScreen } from '#features/devices/device-screen.tsx';
import { LogFiles } from '#features/logs/public.ts';

export const DeviceLogsPage = () => <DeviceScreen>{device => <LogFiles deviceId={device.id} />}</DeviceScreen>;
