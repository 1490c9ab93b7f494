import type { Overview } from '@portico/contract/statistics.ts';
import {
  IconActivity,
  IconBell,
  IconBuildingStore,
  IconLockX,
  IconPlug,
  IconRepeat,
  IconRouter,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/dashboard/dashboard.module.css';
import { formatChange, formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';

type Key = Exclude<keyof Overview, 'previous'>;
type Icon = ComponentType<{ size?: number; stroke?: number }>;

/** In the order of document 1, section 2.4. */
const icons: Record<Key, Icon> = {
  onlines: IconActivity,
  failed_logins: IconLockX,
  returned_users: IconRepeat,
  users: IconUsers,
  devices: IconRouter,
  locations: IconBuildingStore,
  notifications: IconBell,
  integrations: IconPlug,
};
const keys = Object.keys(icons) as Key[];
const inPeriod = ['failed_logins', 'returned_users'] as const;
const isInPeriod = (key: Key): key is (typeof inPeriod)[number] => (inPeriod as readonly Key[]).includes(key);
const dialogs: Partial<Record<Key, 'online' | 'failed'>> = { onlines: 'online', failed_logins: 'failed' };

export type ShowDialog = (dialog: 'online' | 'failed') => void;

interface Props {
  data: Overview | undefined;
  onShow: ShowDialog;
}

export function Metrics({ data, onShow }: Props) {
  const { t } = useTranslation('dashboard');
  const can = useCan();
  const screens: Partial<Record<Key, string | false>> = {
    users: can('view-clients') && '/visitors',
    devices: can('view-devices') && '/devices',
    locations: '/locations',
    notifications: '/notifications',
    integrations: can('view-integrations') && '/integrations',
  };
  return (
    <ul className={classes.metrics} aria-label={t('metrics')}>
      {keys.map(key => {
        const Icon = icons[key];
        const dialog = dialogs[key];
        const screen = screens[key];
        const content = (
          <>
            <span className={classes.metricLabel}>
              <Icon size={16} stroke={1.7} aria-hidden />
              {t(`metric.${key}`)}
            </span>
            {/* A loading figure is a grey bar, not a zero. */}
            <strong>{data ? formatNumber(data[key]) : <i />}</strong>
            <small>{t(key === 'onlines' ? 'now' : isInPeriod(key) ? 'inPeriod' : 'inTotal')}</small>
            {data?.previous && isInPeriod(key) && <Before now={data[key]} before={data.previous[key]} />}
          </>
        );
        return (
          <li key={key}>
            {dialog ? (
              <button type="button" aria-haspopup="dialog" onClick={() => onShow(dialog)}>
                {content}
              </button>
            ) : screen ? (
              <Link to={screen}>{content}</Link>
            ) : (
              <div>{content}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The figure of the previous period and the change. */
function Before({ now, before }: { now: number; before: number }) {
  const { t } = useTranslation('dashboard');
  return (
    <em className={classes.before}>
      {t('beforeIs', { value: formatNumber(before) })}
      {before > 0 && <b>{formatChange(now / before - 1)}</b>}
    </em>
  );
}
