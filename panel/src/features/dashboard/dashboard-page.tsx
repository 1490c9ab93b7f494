import { memo, useCallback, useDeferredValue } from 'react';
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
import { Metrics, type ShowDialog } from '#features/dashboard/metrics.tsx';
import { ProblemList } from '#features/dashboard/problem-list.tsx';
import { SetupList, useSetup, useSetupIsShown } from '#features/dashboard/setup-list.tsx';
import { useHealthIsKnown } from '#features/dashboard/use-health-is-known.ts';
import { VisitsChart } from '#features/dashboard/visits-chart.tsx';
import { api } from '#lib/api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { type ListSearch, useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const OnlineDialog = lazyPart(() => import('#features/dashboard/online-dialog.tsx'), 'OnlineDialog');
const FailedDialog = lazyPart(() => import('#features/dashboard/failed-dialog.tsx'), 'FailedDialog');

/** `show` in the address names the open dialog, so that the back button closes it and a link opens it. */
export function DashboardPage() {
  const { t } = useTranslation('dashboard');
  const [search, change] = useListSearch();
  // A press is answered first. All figures and charts take longer.
  const shown = useDeferredValue(search);
  const isMoving = useLinkedLocation();
  // The charts change slowly and cost more, so they refresh every minute only.
  useLive('sessions', api.statistics.overview, api.sessions.online, api.sessions.failedLogins);
  useLive('notifications', api.statistics.overview);
  useLive('devices', api.devices.list);
  const open = useCallback((show: 'online' | 'failed') => change({ show }, false), [change]);
  const close = () => change({ show: undefined, typed: undefined, mac: undefined });

  return (
    <>
      <PageHeader title={t('title')} />
      <Figures search={shown} onShow={open} />
      {search.show === 'online' && !isMoving && <OnlineDialog onClose={close} />}
      {search.show === 'failed' && !isMoving && <FailedDialog onClose={close} />}
    </>
  );
}

/** All of the page but its dialogs, by the filter of an address. */
const Figures = memo(function Figures({ search, onShow }: { search: ListSearch; onShow: ShowDialog }) {
  const { t } = useTranslation('common');
  const can = useCan();
  const overview = useOverview(search);
  const setup = useSetup();
  const facts = setup.data?.data;
  const showsSetup = useSetupIsShown(facts);
  // Until the first router connects, the first steps say so.
  const showsDevices = can('view-devices') && !(showsSetup && facts?.connected === false);
  const here = useWorkingLocation();
  const isKnown = useHealthIsKnown(search);

  // Hidden, and not left out: the charts load meanwhile.
  return (
    <>
      {!isKnown && <div className={classes.coming} role="status" aria-label={t('loading')} />}
      <div hidden={!isKnown}>
        <LicenceNotice />
        {facts && showsSetup && <SetupList facts={facts} />}
        {showsDevices && <DeviceNotice search={search} />}
        <ProblemList search={search} />
        {showsDevices && <DeviceNotice search={search} waiting />}
        {here === null && <LocationStrip />}
        <LastDay search={search} />
        <DashboardFilter />
        {overview.error && !overview.data ? (
          <LoadError error={overview.error} onRetry={() => void overview.refetch()} />
        ) : (
          <Metrics data={overview.data?.data} onShow={onShow} />
        )}
        <VisitsChart search={search} />
        <div className={classes.three}>
          {breakdowns.map(name => (
            <Breakdown key={name} name={name} search={search} />
          ))}
        </div>
        {can('view-devices') && <DeviceList search={search} />}
      </div>
    </>
  );
});
