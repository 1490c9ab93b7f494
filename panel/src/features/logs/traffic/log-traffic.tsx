import { useTranslation } from 'react-i18next';
import { popularKinds } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { useLogPeriod } from '#features/logs/period/log-period-filter.tsx';
import { LogFlow } from '#features/logs/traffic/log-flow.tsx';
import { PopularTable } from '#features/logs/traffic/popular-table.tsx';
import { api } from '#lib/api.ts';
import { useLive } from '#lib/use-live.ts';
import { FilterBar } from '#ui/filter-bar.tsx';

/** Log flow, popular sites, applications and countries. Follows `start_at`, `end_at` and `interval` of the address. */
export function LogTraffic({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('logs');
  const period = useLogPeriod(t('latest'));
  useLive('logs', api.logs.histogram, ...popularKinds.map(kind => api.logs[kind]));
  return (
    <>
      <FilterBar filters={[period]} />
      <LogFlow deviceId={deviceId} />
      <div className={classes.tables}>
        {popularKinds.map(kind => (
          <PopularTable key={kind} kind={kind} deviceId={deviceId} />
        ))}
      </div>
    </>
  );
}
