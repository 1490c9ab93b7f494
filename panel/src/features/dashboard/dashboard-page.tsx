import { useTranslation } from 'react-i18next';
import { Breakdown } from '#features/dashboard/breakdown.tsx';
import { breakdowns, useOverview } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { DashboardFilter } from '#features/dashboard/dashboard-filter.tsx';
import { DeviceList } from '#features/dashboard/device-list.tsx';
import { DeviceNotice } from '#features/dashboard/device-notice.tsx';
import { LastDay } from '#features/dashboard/last-day.tsx';
import { LicenceNotice } from '#features/dashboard/licence-notice.tsx';
import { useLinkedLocation } from '#features/dashboard/linked-location.ts';
import { LocationStrip } from '#features/dashboard/location-strip.tsx';
import { Metrics } from '#features/dashboard/metrics.tsx';
import { ProblemList } from '#features/dashboard/problem-list.tsx';
import { SetupList, useSetup, useSetupIsShown } from '#features/dashboard/setup-list.tsx';
import { useHealthIsKnown } from '#features/dashboard/use-health-is-known.ts';
import { VisitsChart } from '#features/dashboard/visits-chart.tsx';
import { api } from '#lib/api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const OnlineDialog = lazyPart(() => import('#features/dashboard/online-dialog.tsx'), 'OnlineDialog');
const FailedDialog = lazyPart(() => import('#features/dashboard/failed-dialog.tsx'), 'FailedDialog');

/** `show` in the address names the open dialog, so that the back button closes it and a link opens it. */
export function DashboardPage() {
  const { t } = useTranslation(['dashboard', 'common']);
  const can = useCan();
  const [search, change] = useListSearch();
  const overview = useOverview(search);
  const setup = useSetup();
  const facts = setup.data?.data;
  const showsSetup = useSetupIsShown(facts);
  // Until the first router connects, the first steps say so.
  const showsDevices = can('view-devices') && !(showsSetup && facts?.connected === false);
  const here = useWorkingLocation();
  const isKnown = useHealthIsKnown();
  const isMoving = useLinkedLocation();
  // The charts change slowly and cost more, so they refresh every minute only.
  useLive('sessions', api.statistics.overview, api.sessions.online, api.sessions.failedLogins);
  useLive('notifications', api.statistics.overview);
  useLive('devices', api.devices.list);
  const open = (show: 'online' | 'failed') => change({ show }, false);
  const close = () => change({ show: undefined, typed: undefined, mac: undefined });

  // Hidden, and not left out: the charts load meanwhile.
  return (
    <>
      <PageHeader title={t('title')} />
      {!isKnown && <div className={classes.coming} role="status" aria-label={t('common:loading')} />}
      <div hidden={!isKnown}>
        <LicenceNotice />
        {facts && showsSetup && <SetupList facts={facts} />}
        {showsDevices && <DeviceNotice />}
        <ProblemList />
        {showsDevices && <DeviceNotice waiting />}
        {here === null && <LocationStrip />}
        <LastDay />
        <DashboardFilter />
        {overview.error && !overview.data ? (
          <LoadError error={overview.error} onRetry={() => void overview.refetch()} />
        ) : (
          <Metrics data={overview.data?.data} onShow={open} />
        )}
        <VisitsChart />
        <div className={classes.three}>
          {breakdowns.map(name => (
            <Breakdown key={name} name={name} />
          ))}
        </div>
        {can('view-devices') && <DeviceList />}
      </div>
      {search.show === 'online' && !isMoving && <OnlineDialog onClose={close} />}
      {search.show === 'failed' && !isMoving && <FailedDialog onClose={close} />}
    </>
  );
}
