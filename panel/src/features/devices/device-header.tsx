import type { DeviceDetail } from '@portico/contract/devices.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import { DeviceStatus } from '#features/devices/device-status.tsx';
import type { Group } from '#features/devices/device-tabs.ts';
import classes from '#features/devices/devices.module.css';
import { LoginFileButton } from '#features/devices/setup/login-file-button.tsx';
import { showsLicences } from '#lib/tenant.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { Tag } from '#ui/tag.tsx';

interface Props {
  id: string;
  device: DeviceDetail | undefined;
  groups: readonly Group[];
  open: Group | undefined;
  /** The screen has no banner, so the days of the demo stand here. */
  withDemo: boolean;
}

export function DeviceHeader({ id, device, groups, open, withDemo }: Props) {
  const { t } = useTranslation('devices');
  const demo = withDemo && device?.is_trial && device.trial_remain > 0 && (
    <Tag tone="warn">{t('banner.demo', { count: device.trial_remain })}</Tag>
  );
  const description = device && (
    <span className={classes.head}>
      <span className={classes.name}>
        <BrandLogo brand={device.brand} size={18} />
        {device.brand.name}
      </span>
      <DeviceStatus device={device} />
      <span>{device.location.name}</span>
      {demo && showsLicences() ? (
        <Link to="/devices/$deviceId/license" params={{ deviceId: id }} className={classes.demo}>
          {demo}
        </Link>
      ) : (
        demo
      )}
    </span>
  );
  return (
    <PageHeader
      title={device?.name ?? '…'}
      description={description}
      parent={{ to: '/devices', label: t('title') }}
      // With the device, because its name, facts and button take one line or three.
      tabs={(device ? groups : []).map(group => ({
        to: group.pages[0]?.to ?? '',
        label: group.label,
        isOpen: group === open,
      }))}
    >
      {device && <LoginFileButton device={device} />}
    </PageHeader>
  );
}

/** The screens of the open group, where it has several. */
export function GroupNav({ group }: { group: Group }) {
  const path = useLocation({ select: it => it.pathname });
  return (
    <nav className={classes.groupNav} aria-label={group.label}>
      {group.pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === path ? 'page' : undefined}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
