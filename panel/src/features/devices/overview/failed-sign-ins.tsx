import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useReason } from '#features/dashboard/public.ts';
import classes from '#features/devices/devices.module.css';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { everyMinute } from '#lib/use-live.ts';
import { Nothing, Panel } from '#ui/panel.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

/** The guests who failed last at a device, and why. */
export function FailedSignIns({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices');
  const reason = useReason();
  const query = useQuery({
    ...queryOf(api.sessions.failedLogins, { query: { deviceIds: [deviceId], per_page: 6 } }),
    ...everyMinute,
  });
  const rows = query.data?.data ?? [];
  return (
    <Panel
      title={t('failed.title')}
      note={t('failed.period')}
      query={query}
      empty={rows.length === 0 && <Nothing>{t('failed.none')}</Nothing>}
      control={
        rows.length > 0 && (
          <Link className={classes.link} to="/" search={{ show: 'failed', devices: deviceId }}>
            {t('failed.all')}
          </Link>
        )
      }
    >
      <ul className={classes.failed}>
        {rows.map(row => (
          <li key={`${row.client_mac} ${row.client_ip}`}>
            <strong>{row.attempts[0] ? reason(row.attempts[0]) : '–'}</strong>
            <span>
              {row.attempts[0]?.visitor ? (
                <Link
                  className={classes.link}
                  to="/visitors/$visitorId"
                  params={{ visitorId: row.attempts[0].visitor.id }}
                >
                  {row.attempts[0].visitor.name}
                </Link>
              ) : (
                (row.client_mac ?? row.client_ip ?? '–')
              )}
              {row.total > 1 && ` · ${t('failed.tries', { count: row.total, tries: formatNumber(row.total) })}`}
            </span>
            <small>
              <RelativeTime time={row.last_at} />
            </small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
