import type { PopularRow } from '@portico/contract/logs.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countryName } from '#features/logs/log-format.ts';
import { type PopularKind, usePopular } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { formatBytes, formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { Nothing, Panel } from '#ui/panel.tsx';

const initialRows = 10;
const none: readonly PopularRow[] = [];

/** Ranks by bytes, or by connections if the router reports no bytes. */
export function PopularTable({ kind, deviceId }: { kind: PopularKind; deviceId: string }) {
  const { t } = useTranslation('logs');
  const [search] = useListSearch();
  const [all, setAll] = useState(false);
  const query = usePopular(kind, deviceId, search);
  const rows = query.data?.data ?? none;
  const inBytes = rows.some(row => row.total > 0);
  const weight = (row: PopularRow) => (inBytes ? row.total : row.connections);
  const largest = Math.max(1, ...rows.map(weight));
  const name = (row: PopularRow) => (kind === 'popularCountry' ? countryName(row.domain) : row.domain);
  const title = t(`${kind}.title`);
  return (
    <Panel
      title={title}
      note={rows.length > 0 && !inBytes ? t('connectionsOnly') : undefined}
      query={query}
      empty={rows.length === 0 && <Nothing>{t(`${kind}.empty`)}</Nothing>}
    >
      <table className={classes.popular} aria-label={title} data-counts={!inBytes || undefined}>
        <thead>
          <tr>
            <th scope="col">{t(`${kind}.one`)}</th>
            {inBytes && <th scope="col">{t('recv')}</th>}
            {inBytes && <th scope="col">{t('sent')}</th>}
            <th scope="col">{t(inBytes ? 'total' : 'connections')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, all ? rows.length : initialRows).map(row => (
            <tr
              key={row.domain}
              title={t('connectionsOf', { count: row.connections, shown: formatNumber(row.connections) })}
            >
              <th scope="row">
                <span title={name(row)}>{name(row)}</span>
                <i aria-hidden="true" style={{ width: `${(weight(row) / largest) * 100}%` }} />
              </th>
              <Amounts row={row} inBytes={inBytes} />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > initialRows && (
        <button type="button" className={classes.more} onClick={() => setAll(!all)} aria-expanded={all}>
          {t(all ? 'fewer' : 'all', { count: rows.length })}
        </button>
      )}
    </Panel>
  );
}

/** A site known from log lines only has no byte counts. Zero bytes would be wrong, so connections are shown instead. */
function Amounts({ row, inBytes }: { row: PopularRow; inBytes: boolean }) {
  const { t } = useTranslation('logs');
  const { connections: count, recv, sent, total } = row;
  if (!inBytes) return <td>{formatNumber(count)}</td>;
  if (total === 0)
    return (
      <td className={classes.uncounted} colSpan={3}>
        {t('connectionsOf', { count, shown: formatNumber(count) })}
      </td>
    );
  return (
    <>
      <td>{formatBytes(recv)}</td>
      <td>{formatBytes(sent)}</td>
      <td>{formatBytes(total)}</td>
    </>
  );
}
