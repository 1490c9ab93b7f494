import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeviceBanner } from '#features/devices/device-banner.tsx';
import { DeviceHeader } from '#features/devices/device-header.tsx';
import { useDevice } from '#features/devices/devices.api.ts';
import { api } from '#lib/api.ts';
import { isGone } from '#lib/gone.ts';
import { useLive } from '#lib/use-live.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  /** Number of skeleton fields while the device loads. */
  fields?: number;
  children: (device: DeviceDetail) => ReactNode;
}

/** The layout of every screen of a device: header, tabs and banner. Renders its children once the device is loaded. */
export function DeviceScreen({ fields = 4, children }: Props) {
  const { deviceId = '' } = useParams({ strict: false });
  const query = useDevice(deviceId);
  useLive('devices', api.devices.get);
  useLive('device-seen', api.devices.get);
  if (query.error && (!query.data || isGone(query.error)))
    return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  const device = query.data?.data;
  return (
    <>
      <DeviceHeader id={deviceId} device={device} />
      {device && <DeviceBanner device={device} />}
      {device ? children(device) : <FormSkeleton fields={fields} />}
    </>
  );
}
