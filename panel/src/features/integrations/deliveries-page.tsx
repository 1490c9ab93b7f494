import { Button } from '@mantine/core';
import { webhookEvents } from '@portico/contract/integration-names.ts';
import type { WebhookDelivery } from '@portico/contract/integrations.ts';
import { IconEye, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IntegrationScreen } from '#features/integrations/integration-screen.tsx';
import { useDeliveries, useResend } from '#features/integrations/integrations.api.ts';
import { SentTable } from '#features/integrations/sent-table.tsx';
import { api } from '#lib/api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import type { Column } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';

const ResendDialog = lazyPart(() => import('#features/integrations/resend-dialog.tsx'), 'ResendDialog');
const DeliveryDialog = lazyPart(() => import('#features/integrations/delivery-dialog.tsx'), 'DeliveryDialog');

export const DeliveriesPage = () => <IntegrationScreen>{it => <Deliveries id={it.id} />}</IntegrationScreen>;

function Deliveries({ id }: { id: string }) {
  const { t } = useTranslation('integrations');
  const can = useCan();
  const [search] = useListSearch();
  const deliveries = useDeliveries(id, search);
  const resend = useResend(id);
  const [shown, setShown] = useState<WebhookDelivery>();
  const [asking, setAsking] = useState(false);
  useLive('webhooks', api.integrations.deliveries);
  const nameOf = (row: WebhookDelivery) => (row.event === 'test' ? row.event : t(`event.${row.event}`));
  const columns: Column<WebhookDelivery>[] = [
    {
      key: 'event',
      label: t('deliveries.event'),
      cell: row => <RowName name={nameOf(row)} onOpen={() => setShown(row)} />,
    },
    { key: 'attempts', label: t('deliveries.attempts'), numeric: true, cell: row => row.attempts },
    {
      key: 'error',
      label: t('deliveries.answer'),
      cell: row => row.error ?? row.status ?? '–',
      from: 'md',
      onPhone: true,
    },
    {
      key: 'time',
      label: t('deliveries.time'),
      nowrap: true,
      cell: row => <RelativeTime time={row.created_at} />,
      onPhone: true,
    },
    {
      key: 'next',
      onPhone: 'labelled',
      label: t('deliveries.next'),
      nowrap: true,
      from: 'lg',
      cell: row => (row.next_at ? <RelativeTime time={row.next_at} /> : '–'),
    },
  ];
  return (
    <>
      <SentTable
        view="deliveries"
        label={t('deliveries.title')}
        query={deliveries}
        states={{
          waiting: { label: t('deliveries.states.waiting'), tone: 'busy' },
          delivered: { label: t('deliveries.states.delivered'), tone: 'good' },
          failed: { label: t('deliveries.states.failed'), tone: 'bad' },
        }}
        columns={columns}
        rowName={nameOf}
        onRowClick={setShown}
        rowActions={row => [
          { label: t('deliveries.show'), icon: IconEye, onClick: () => setShown(row) },
          ...(can('update-integrations')
            ? [{ label: t('webhook.resend'), icon: IconSend, onClick: () => resend.mutate(row.id) }]
            : []),
        ]}
        filters={[
          {
            kind: 'options',
            single: true,
            key: 'event',
            label: t('deliveries.event'),
            options: webhookEvents.map(value => ({ value, label: t(`event.${value}`) })),
          },
        ]}
        actions={
          can('update-integrations') && (
            <Button variant="default" leftSection={<IconSend size={15} />} onClick={() => setAsking(true)}>
              {t('deliveries.resendFailed')}
            </Button>
          )
        }
        empty={{ title: t('deliveries.emptyTitle'), text: t('deliveries.emptyText') }}
      />
      {asking && <ResendDialog id={id} onClose={() => setAsking(false)} />}
      {shown && <DeliveryDialog title={nameOf(shown)} body={shown.body} onClose={() => setShown(undefined)} />}
    </>
  );
}
