import { Button } from '@mantine/core';
import type { AdResults } from '@portico/contract/advertisements.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { dayBars } from '#features/portals/items/day-bars.ts';
import { useDownloadAdFigures } from '#features/portals/items/results.api.ts';
import classes from '#features/portals/items/results.module.css';
import { formatNumber } from '#lib/format.ts';
import { BarChart } from '#ui/bar-chart.tsx';

/** Views and clicks of a portal's advertisements by day. */
export function AdViews({ portalId, results }: { portalId: string; results: readonly AdResults[] }) {
  const { t } = useTranslation('portal-editor');
  const file = useDownloadAdFigures(portalId);
  const sum = (i: number, what: 'views' | 'clicks') => results.reduce((all, ad) => all + (ad.days[i]?.[what] ?? 0), 0);
  const daysOf = (what: 'views' | 'clicks') =>
    (results[0]?.days ?? []).map(({ day }, i) => ({ day, value: sum(i, what) }));
  const charts = [
    { what: 'views', label: t('ad.byDay'), series: t('ad.viewsLabel') },
    { what: 'clicks', label: t('ad.clicksByDay'), series: t('ad.clicksLabel') },
  ] as const;
  return (
    <section className={classes.views}>
      {charts
        .filter(({ what }) => what === 'views' || results.some(it => it.clicks > 0))
        .map(({ what, label, series }) => (
          <div key={what}>
            <h3 className={classes.heading}>{label}</h3>
            <BarChart
              label={label}
              rowLabel={t('survey.day')}
              series={[series]}
              thickness={14}
              format={formatNumber}
              bars={dayBars(daysOf(what))}
            />
          </div>
        ))}
      <Button
        mt={12}
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        {t('ad.export')}
      </Button>
    </section>
  );
}
