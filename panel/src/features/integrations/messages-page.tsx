import type { SmsMessage } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { IntegrationScreen } from '#features/integrations/integration-screen.tsx';
import { useMessages } from '#features/integrations/integrations.api.ts';
import { SentTable } from '#features/integrations/sent-table.tsx';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

export const MessagesPage = () => <IntegrationScreen>{it => <Messages id={it.id} />}</IntegrationScreen>;

function Messages({ id }: { id: string }) {
  const { t } = useTranslation('integrations');
  const [search] = useListSearch();
  const messages = useMessages(id, search);
  const columns: Column<SmsMessage>[] = [
    { key: 'to', label: t('messages.to'), nowrap: true, cell: row => row.to },
    { key: 'error', label: t('problem'), cell: row => row.error ?? '–', from: 'md', onPhone: true },
    {
      key: 'time',
      label: t('deliveries.time'),
      nowrap: true,
      cell: row => <RelativeTime time={row.created_at} />,
      onPhone: true,
    },
    {
      key: 'delivered',
      label: t('messages.delivered'),
      nowrap: true,
      from: 'lg',
      cell: row => (row.delivered_at ? <RelativeTime time={row.delivered_at} /> : '–'),
    },
  ];
  return (
    <SentTable
      view="messages"
      label={t('messages.title')}
      query={messages}
      states={{
        queued: { label: t('messages.states.queued'), tone: 'busy' },
        sent: { label: t('messages.states.sent'), tone: 'idle' },
        delivered: { label: t('messages.states.delivered'), tone: 'good' },
        failed: { label: t('messages.states.failed'), tone: 'bad' },
      }}
      columns={columns}
      rowName={row => row.to}
      empty={{ title: t('messages.emptyTitle'), text: t('messages.emptyText') }}
    />
  );
}
