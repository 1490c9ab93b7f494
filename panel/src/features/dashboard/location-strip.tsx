import type { LocationHealth } from '@portico/contract/statistics.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useHealth } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { useChangeLocation } from '#lib/change-location.ts';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

/** Locations that need work are named; the others are counted. */
const maxRows = 8;

/** The state of each location, the worst first, for users who look after several. A row opens its dashboard. */
export function LocationStrip() {
  const { t } = useTranslation('dashboard');
  const can = useCan();
  const change = useChangeLocation();
  const answer = useHealth().data;
  if (!answer || answer.meta.total < 2) return null;
  const { total, well } = answer.meta;
  const rows = answer.data.filter(row => stateOf(row).length > 0).slice(0, maxRows);
  return (
    <section className={classes.strip} aria-labelledby="strip">
      <header>
        <h2 id="strip">{t('strip.title')}</h2>
        <span>
          {t(well === total ? 'strip.allWell' : well === 0 ? 'strip.noneWell' : 'strip.well', {
            well: formatNumber(well),
            total: formatNumber(total),
          })}
        </span>
        {can('create-location') && <Link to="/admin/overview">{t('strip.overview')}</Link>}
      </header>
      {rows.length > 0 && (
        <ul>
          {rows.map(row => (
            <li key={row.location.id}>
              <button type="button" disabled={change.isPending} onClick={() => change.mutate(row.location.id)}>
                <strong>{row.location.name}</strong>
                <span>
                  {stateOf(row).map(([tone, key, count]) => (
                    <StatusDot key={key} tone={tone}>
                      {t(`strip.${key}`, { count, devices: formatNumber(row.devices) })}
                    </StatusDot>
                  ))}
                </span>
                <small>{t('strip.online', { count: row.onlines, guests: formatNumber(row.onlines) })}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Part = readonly [Tone, 'ended' | 'suspended' | 'offline' | 'problems' | 'waiting', number];

/** The problems of a location, the worst first. */
function stateOf({ service, offline, problems, waiting }: LocationHealth): readonly Part[] {
  const parts: readonly Part[] = [
    ['bad', service === 'suspended' ? 'suspended' : 'ended', service === 'running' ? 0 : 1],
    ['bad', 'offline', offline],
    ['warn', 'problems', problems],
    ['idle', 'waiting', waiting],
  ];
  return parts.filter(([, , count]) => count > 0);
}
