import type { PopularRow } from '@portico/contract/logs.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countryName } from '#features/logs/log-format.ts';
import { type PopularKind, usePopular } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { formatBytes, formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { Nothing, Panel } from '#ui/panel.tsx';

const few = 10;
const none: readonly PopularRow[] = [];

/** What guests used most: in bytes where the router reports them, else in connections. */
export function PopularTable({ kind, deviceId }: { kind: PopularKind; deviceId: string }) {
  const { t } = useTranslation('logs');
  const [search] = useListSearch();
  const [all, setAll] = useState(false);
  const query = usePopular(kind, deviceId, search);
  const rows = query.data?.data ?? none;
  const inBytes = rows.some(row => row.total > 0);
  const weight = (row: PopularRow) => (inBytes ? row.total : row.connections);
  const most = Math.max(1, ...rows.map(weight));
  // A site may be known by its lines and not by flows: that it used nothing would not be true.
  const bytes = (row: PopularRow, value: number) => (row.total > 0 ? formatBytes(value) : '–');
  const someWithout = rows.some(row => row.total === 0);
  const note = inBytes ? someWithout && t('someWithout') : t('connectionsOnly');
  const name = (row: PopularRow) => (kind === 'popularCountry' ? countryName(row.domain) : row.domain);
  const title = t(`${kind}.title`);
  return (
    <Panel
      title={title}
      note={(rows.length > 0 && note) || undefined}
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
          {rows.slice(0, all ? rows.length : few).map(row => (
            <tr key={row.domain} title={t('connectionsOf', { count: row.connections })}>
              <th scope="row">
                <span title={name(row)}>{name(row)}</span>
                <i aria-hidden="true" style={{ width: `${(weight(row) / most) * 100}%` }} />
              </th>
              {inBytes && <td>{bytes(row, row.recv)}</td>}
              {inBytes && <td>{bytes(row, row.sent)}</td>}
              <td>{inBytes ? bytes(row, row.total) : formatNumber(row.connections)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > few && (
        <button type="button" className={classes.more} onClick={() => setAll(!all)} aria-expanded={all}>
          {t(all ? 'fewer' : 'all', { count: rows.length })}
        </button>
      )}
    </Panel>
  );
}
