import type { AdResults } from '@portico/contract/advertisements.ts';
import { useTranslation } from 'react-i18next';
import { dayBars } from '#features/portals/items/day-bars.ts';
import classes from '#features/portals/items/results.module.css';
import { formatNumber } from '#lib/format.ts';
import { BarChart } from '#ui/bar-chart.tsx';

/** Views of a portal's advertisements by day. */
export function AdViews({ results }: { results: readonly AdResults[] }) {
  const { t } = useTranslation('portal-editor');
  const days = (results[0]?.days ?? []).map(({ day }, i) => ({
    day,
    value: results.reduce((sum, ad) => sum + (ad.days[i]?.views ?? 0), 0),
  }));
  return (
    <section className={classes.views}>
      <h3 className={classes.heading}>{t('ad.byDay')}</h3>
      <BarChart
        label={t('ad.byDay')}
        rowLabel={t('survey.day')}
        series={[t('ad.viewsLabel')]}
        thickness={14}
        format={formatNumber}
        bars={dayBars(days)}
      />
    </section>
  );
}
