import type { MarketingConsent } from '@portico/contract/consents.ts';
import { IconBan } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/consents/consents.module.css';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { RowName } from '#ui/row-name.tsx';
import { StatusDot } from '#ui/status-dot.tsx';
import type { TableLayout } from '#ui/table-layout.ts';

const WithdrawDialog = lazyPart(() => import('#features/consents/withdraw-dialog.tsx'), 'WithdrawDialog');

interface Props extends Pick<ComponentProps<typeof DataTable<MarketingConsent>>, 'query' | 'empty'> {
  /** The list of one visitor names neither the visitor nor its location. */
  ofOne?: boolean;
  layout?: TableLayout;
  /** Stands above the list. */
  bar?: (columns: readonly Column<MarketingConsent>[]) => ReactNode;
}

/** Consents to news and offers, with the question before one is withdrawn. */
export function ConsentList({ query, empty, ofOne = false, layout, bar }: Props) {
  const { t } = useTranslation('consents');
  const can = useCan();
  const navigate = useNavigate();
  const [open, setOpen] = useState<MarketingConsent>();
  const show = ({ visitor }: MarketingConsent) =>
    visitor && void navigate({ to: '/visitors/$visitorId/consents', params: { visitorId: visitor.id } });
  const nameOf = (row: MarketingConsent) => row.recipient ?? t('erased');
  const columns: Column<MarketingConsent>[] = [
    {
      key: 'recipient',
      label: t('recipient'),
      cell: row => (
        <span className={classes.recipient}>
          {row.visitor && !ofOne ? <RowName name={nameOf(row)} onOpen={() => show(row)} /> : nameOf(row)}
          {row.visitor && !ofOne && row.visitor.name !== row.recipient && <small>{row.visitor.name}</small>}
        </span>
      ),
    },
    { key: 'channel', label: t('channel'), nowrap: true, cell: row => t(`channels.${row.channel}`), onPhone: true },
    {
      key: 'state',
      label: t('state'),
      nowrap: true,
      cell: row => (
        <StatusDot tone={row.state === 'given' ? 'good' : 'idle'}>
          {row.withdrawn_by ? t(`ended.${row.withdrawn_by}`) : t('states.given')}
        </StatusDot>
      ),
      onPhone: true,
    },
    {
      key: 'confirmed',
      label: t('confirmed'),
      cell: row => (row.confirmed === null ? '–' : t(row.confirmed ? 'yes' : 'no')),
      from: 'md',
    },
    ...(ofOne
      ? []
      : [
          {
            key: 'location',
            label: t('location'),
            cell: (row: MarketingConsent) => row.location.name,
            from: 'lg' as const,
          },
        ]),
    { key: 'given', label: t('given'), nowrap: true, cell: row => formatDateTime(row.given_at) },
    {
      key: 'withdrawn',
      label: t('withdrawnAt'),
      nowrap: true,
      cell: row => (row.withdrawn_at ? formatDateTime(row.withdrawn_at) : '–'),
      from: 'md',
    },
    {
      key: 'text',
      label: t('text'),
      cell: row => (
        <span lang={row.language} dir="auto">
          {row.text}
        </span>
      ),
      from: 'xl',
    },
  ];
  return (
    <>
      {bar?.(columns)}
      <DataTable
        label={t('title')}
        query={query}
        columns={columns}
        layout={layout}
        rowKey={row => row.id}
        rowName={nameOf}
        onRowClick={ofOne ? undefined : show}
        rowActions={
          can('update-clients')
            ? row =>
                row.state === 'given'
                  ? [{ label: t('withdraw'), icon: IconBan, danger: true, onClick: () => setOpen(row) }]
                  : []
            : undefined
        }
        empty={empty}
      />
      {open && <WithdrawDialog consent={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
