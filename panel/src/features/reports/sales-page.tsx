import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Span, saleFilterOf, spans, useSales, useSalesList } from '#features/reports/reports.api.ts';
import classes from '#features/reports/reports.module.css';
import { SalesChart } from '#features/reports/sales-chart.tsx';
import { SalesList } from '#features/reports/sales-list.tsx';
import { api } from '#lib/api.ts';
import { download } from '#lib/client.ts';
import { formatMoney } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useUser } from '#lib/user.ts';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { daysFilter, locationFilter } from '#ui/sales-filters.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

/** Sales of paid profiles. Each currency has its own sum and chart, because amounts cannot be added across currencies. */
export function SalesPage() {
  const { t } = useTranslation('reports');
  const { active_location, time_zone: zone } = useUser();
  return (
    <>
      <PageHeader title={t('sales')} description={active_location ? t('salesHelp') : t('salesHelpAll', { zone })} />
      <ul className={classes.sums} aria-label={t('sums')}>
        {spans.map(span => (
          <Sum key={span} span={span} />
        ))}
      </ul>
      <SalesChart />
      {useCan()('view-clients') && <AllSales />}
    </>
  );
}

function AllSales() {
  const { t } = useTranslation('reports');
  const [search] = useListSearch();
  const { locations } = useUser();
  const query = useSalesList(search);
  const file = useMutation({
    mutationFn: () => download(api.sales.list, 'sales.csv', { query: { ...saleFilterOf(search), download: 'true' } }),
  });
  const layout = useTableLayout('sales');
  return (
    <SalesList
      query={query}
      layout={layout}
      bar={columns => (
        <FilterBar filters={[daysFilter(t('period')), ...locationFilter(t('location'), locations)]}>
          <FileButton
            label={t('file')}
            loading={file.isPending}
            disabled={!query.data?.meta.total}
            onClick={() => file.mutate()}
          />
          <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
        </FilterBar>
      )}
    />
  );
}

function Sum({ span }: { span: Span }) {
  const { t } = useTranslation('reports');
  const { data, error } = useSales(span);
  const totals = data?.data.totals ?? [];
  return (
    <li>
      <span>{t(`span.${span}`)}</span>
      {data ? (
        <>
          <strong>{formatMoney(data.data.total, data.data.currency)}</strong>
          {totals.slice(1).map(({ total, currency }) => (
            <small key={currency}>{formatMoney(total, currency)}</small>
          ))}
        </>
      ) : (
        <strong>{error ? '–' : <i />}</strong>
      )}
    </li>
  );
}
