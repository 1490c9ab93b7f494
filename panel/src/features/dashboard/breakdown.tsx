import { useTranslation } from 'react-i18next';
import { type BreakdownName, useBreakdown } from '#features/dashboard/dashboard.api.ts';
import classes from '#features/dashboard/dashboard.module.css';
import { formatNumber, formatPercent } from '#lib/format.ts';
import type { ListSearch } from '#lib/search.ts';
import { NoData, Panel } from '#ui/panel.tsx';

const maxRows = 6;
const kinds = ['mobile', 'tablet', 'desktop', 'tv', 'bot', 'unknown'] as const;
type Kind = (typeof kinds)[number];

/** Sign-ins by one property of the guests' devices: the most frequent values, and the others in one line. */
export function Breakdown({ name, search }: { name: BreakdownName; search: ListSearch }) {
  const { t } = useTranslation('dashboard');
  const query = useBreakdown(name, search);
  const { labels, values } = query.data?.data ?? { labels: [], values: [] };
  const total = query.data?.meta.total ?? 0;
  const word = (label: string) => {
    // An unknown browser is stored as an empty text.
    const kind = label || 'unknown';
    return (kinds as readonly string[]).includes(kind) ? t(`kind.${kind as Kind}`) : kind;
  };
  const all = labels.map((label, i) => ({ label: word(label), value: values[i] ?? 0 }));
  const rest = all.slice(maxRows).reduce((sum, row) => sum + row.value, 0);
  const rows = rest > 0 ? [...all.slice(0, maxRows), { label: t('others'), value: rest }] : all;
  return (
    <Panel
      title={t(`breakdown.${name}`)}
      note={query.data && t('signIns', { count: total, total: formatNumber(total) })}
      query={query}
      empty={total === 0 && <NoData />}
    >
      <table className={classes.breakdown} aria-label={t(`breakdown.${name}`)}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t(`breakdown.${name}`)}</th>
            <th scope="col">{t('signInsHead')}</th>
            <th scope="col">{t('share')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              <td>{formatNumber(row.value)}</td>
              <td>
                <span>{formatPercent(row.value / total)}</span>
                <i aria-hidden="true">
                  <i style={{ width: `${(row.value / total) * 100}%` }} />
                </i>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
