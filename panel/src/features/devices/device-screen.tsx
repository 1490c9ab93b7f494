import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useLocation, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DeviceBanner } from '#features/devices/device-banner.tsx';
import { DeviceHeader, GroupNav } from '#features/devices/device-header.tsx';
import { useDeviceTabs } from '#features/devices/device-tabs.ts';
import { useDevice } from '#features/devices/devices.api.ts';
import classes from '#features/devices/devices.module.css';
import { api } from '#lib/api.ts';
import { isGone } from '#lib/gone.ts';
import { useLive } from '#lib/use-live.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

interface Props {
  /** Number of skeleton fields while the device loads. */
  fields?: number;
  /** Shows the state of the licence in full. Other screens name it in the header only. */
  banner?: boolean;
  children: (device: DeviceDetail) => ReactNode;
}

/** The layout of every screen of a device: header, groups and the open group's screens. Renders its children once the device is loaded. */
export function DeviceScreen({ fields = 4, banner = false, children }: Props) {
  const { t } = useTranslation('devices');
  const { deviceId = '' } = useParams({ strict: false });
  const path = useLocation({ select: it => it.pathname });
  const query = useDevice(deviceId);
  useLive('devices', api.devices.get);
  useLive('device-seen', api.devices.get);
  const device = query.data?.data;
  const groups = useDeviceTabs(deviceId, device);
  const open = groups.find(group => group.pages.some(page => page.to === path));
  if (query.error && (!device || isGone(query.error)))
    return (
      <LoadError
        error={query.error}
        onRetry={() => void query.refetch()}
        parent={{ to: '/devices', label: t('title') }}
      />
    );
  const content = (
    // Not the same element, or what the device brings would count as a jump of it.
    <div key={device ? 'device' : 'loading'} className={classes.screen}>
      {banner && device && <DeviceBanner device={device} />}
      {device ? children(device) : <FormSkeleton fields={fields} />}
    </div>
  );
  return (
    <>
      <DeviceHeader id={deviceId} device={device} groups={groups} open={open} withDemo={!banner} />
      {device && open && open.pages.length > 1 ? (
        <div key="group" className={classes.group}>
          <GroupNav group={open} />
          {content}
        </div>
      ) : (
        content
      )}
    </>
  );
}
