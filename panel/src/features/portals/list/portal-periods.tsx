import { localClock, periodState } from '@portico/contract/period-days.ts';
import type { ListedPortal } from '@portico/contract/portals.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/list/portal-picture.module.css';
import { formatLocalTime } from '#lib/format.ts';

/** More of them would hide the names of the list. */
const most = 3;

/** Where a period shows the portal now, and where it does so next. */
export function PortalPeriods({ periods }: Pick<ListedPortal, 'periods'>) {
  const { t } = useTranslation('portals');
  const lines = periods.flatMap(it => {
    const { now, until, next } = periodState(it, localClock(it.location.time_zone));
    const place = it.device ? `${it.location.name}, ${it.device.name}` : it.location.name;
    if (now) return [until ? t('shownUntil', { place, time: formatLocalTime(until) }) : t('shownNow', { place })];
    return next ? [t('shownFrom', { place, time: formatLocalTime(next) })] : [];
  });
  if (!lines.length) return null;
  return (
    <small className={classes.periods}>
      {lines.slice(0, most).map(it => (
        <span key={it}>{it}</span>
      ))}
      {lines.length > most && <span>{t('shownMore', { count: lines.length - most })}</span>}
    </small>
  );
}
