import { Button, SegmentedControl } from '@mantine/core';
import type { HandedOut, VoucherDesk } from '@portico/contract/vouchers.ts';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/vouchers/desk.module.css';
import type { Given } from '#features/vouchers/handed-out-dialog.tsx';
import { formatMinor, usePrice, useValidity } from '#features/vouchers/voucher-terms.ts';
import { refresh } from '#features/vouchers/vouchers.api.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { formatDateTime, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useChange } from '#lib/queries.ts';
import { useSaleReason } from '#lib/sale-reason.ts';
import { useLive } from '#lib/use-live.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const HandedOutDialog = lazyPart(() => import('#features/vouchers/handed-out-dialog.tsx'), 'HandedOutDialog');
const LocationField = lazyPart(() => import('#ui/location-field.tsx'), 'LocationField', 'in-place');
const PrintVouchers = lazyPart(() => import('#features/vouchers/print-vouchers.tsx'), 'PrintVouchers');

type DeskBatch = VoucherDesk['batches'][number];

/** The desk of a location: one touch hands a voucher out, a second one prints it. */
export function DeskPage() {
  const { t } = useTranslation('vouchers');
  const working = useWorkingLocation();
  const [chosen, choose] = useState<string | null>(null);
  const locationId = working ?? chosen;
  return (
    <>
      <PageHeader title={t('desk.title')} description={t('desk.about')} />
      {!working && <LocationField value={chosen} onChange={choose} />}
      {locationId && <Desk locationId={locationId} />}
    </>
  );
}

const counts = ['1', '5', '10', '50'] as const;

function Desk({ locationId }: { locationId: string }) {
  const { t } = useTranslation('vouchers');
  const query = useQuery(queryOf(api.vouchers.desk, { query: { location_id: locationId } }));
  useLive('vouchers', api.vouchers.desk);
  useLive('purchases', api.vouchers.desk);
  const [count, setCount] = useState<string>('1');
  const [given, setGiven] = useState<Given>();
  const [printing, setPrinting] = useState<Given>();
  const issue = useChange({
    send: (batch: DeskBatch) => call(api.vouchers.issue, { params: { id: batch.id }, body: { count: Number(count) } }),
    refresh,
  });
  const again = useMutation({
    mutationFn: (row: HandedOut) =>
      call(api.vouchers.cards, { params: { id: row.batch.id }, body: { voucher_ids: [row.id] } }),
  });
  const validity = useValidity();
  const reason = useSaleReason();
  const price = usePrice();
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  const desk = query.data?.data;
  if (!desk) return <FormSkeleton fields={3} />;
  const hand = (batch: DeskBatch) =>
    issue.mutate(batch, {
      onSuccess: ({ data }) => {
        setCount('1');
        setGiven({ batch, cards: data });
      },
    });
  const reprint = (row: HandedOut) => {
    const batch = desk.batches.find(it => it.id === row.batch.id);
    if (batch) again.mutate(row, { onSuccess: ({ data }) => setGiven({ batch, cards: data }) });
  };
  return (
    <div className={classes.desk}>
      <section aria-label={t('desk.title')}>
        {desk.batches.length > 0 ? (
          <>
            <SegmentedControl
              aria-label={t('desk.count')}
              value={count}
              onChange={setCount}
              data={counts.map(it => ({ value: it, label: t('desk.times', { count: Number(it) }) }))}
            />
            <ul className={classes.batches}>
              {desk.batches.map(batch => (
                <li key={batch.id}>
                  <button
                    type="button"
                    className={classes.batch}
                    disabled={issue.isPending}
                    onClick={() => hand(batch)}
                  >
                    <strong>{batch.name}</strong>
                    <span>{validity(batch)}</span>
                    <span className={classes.price}>{price(batch)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <EmptyState drawing="people" title={t('desk.emptyTitle')} text={t('desk.emptyText')} />
        )}
      </section>
      <section className={classes.today}>
        <h2>{t('desk.today')}</h2>
        {desk.totals.map(it => (
          <p key={it.currency} className={classes.sum}>
            {t('desk.sum', { count: it.count, amount: formatMinor(it.amount, it.currency) })}
          </p>
        ))}
        {desk.today.length === 0 && <p>{t('desk.nothing')}</p>}
        <ul>
          {desk.today.map(row => (
            <li key={row.id} className={classes.row}>
              <span>
                <code>{row.code ?? formatNumber(row.number)}</code>
                <small>
                  {formatDateTime(row.issued_at, desk.location.time_zone)} · {row.batch.name}
                  {row.issued_by && ` · ${row.issued_by}`}
                </small>
              </span>
              <StatusDot tone={row.state === 'active' ? 'good' : row.state === 'unused' ? 'idle' : 'warn'}>
                {t(`states.${row.state}`)}
              </StatusDot>
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={t('desk.reprint', { number: row.number })}
                disabled={row.state === 'revoked' || !desk.batches.some(it => it.id === row.batch.id)}
                onClick={() => reprint(row)}
              >
                <IconPrinter size={18} />
              </Button>
            </li>
          ))}
        </ul>
        {desk.refunds.length > 0 && (
          <>
            <h2>{t('desk.refunds')}</h2>
            <ul>
              {desk.refunds.map(row => (
                <li key={row.id} className={classes.row}>
                  <span>
                    {row.what || t('desk.refund')}
                    <small>
                      {formatDateTime(row.refunded_at, desk.location.time_zone)}
                      {row.reason && ` · ${reason(row.reason)}`}
                    </small>
                  </span>
                  <strong>{formatMinor(-row.amount, row.currency)}</strong>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {given && (
        <HandedOutDialog
          given={given}
          onPrint={() => {
            setPrinting(given);
            setGiven(undefined);
          }}
          onClose={() => setGiven(undefined)}
        />
      )}
      {printing && <PrintVouchers {...printing} settings={desk.card} onClose={() => setPrinting(undefined)} />}
    </div>
  );
}
