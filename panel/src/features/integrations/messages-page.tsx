import type { SmsMessage } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { IntegrationScreen } from '#features/integrations/integration-screen.tsx';
import { useMessages } from '#features/integrations/integrations.api.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { NoMatch } from '#ui/no-match.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const states = ['queued', 'sent', 'delivered', 'failed'] as const;
const tones = { queued: 'busy', sent: 'idle', delivered: 'good', failed: 'bad' } as const;

export const MessagesPage = () => <IntegrationScreen>{it => <Messages id={it.id} />}</IntegrationScreen>;

function Messages({ id }: { id: string }) {
  const { t } = useTranslation('integrations');
  const [search] = useListSearch();
  const messages = useMessages(id, search);
  const columns: Column<SmsMessage>[] = [
    { key: 'to', label: t('messages.to'), nowrap: true, cell: row => row.to },
    {
      key: 'state',
      label: t('deliveries.state'),
      cell: row => <StatusDot tone={tones[row.state]}>{t(`messages.states.${row.state}`)}</StatusDot>,
    },
    { key: 'error', label: t('problem'), cell: row => row.error ?? '–', from: 'md' },
    { key: 'time', label: t('deliveries.time'), nowrap: true, cell: row => <RelativeTime time={row.created_at} /> },
    {
      key: 'delivered',
      label: t('messages.delivered'),
      nowrap: true,
      from: 'lg',
      cell: row => (row.delivered_at ? <RelativeTime time={row.delivered_at} /> : '–'),
    },
  ];
  return (
    <>
      <FilterBar
        filters={[
          {
            kind: 'options',
            single: true,
            key: 'state',
            label: t('deliveries.state'),
            options: states.map(value => ({ value, label: t(`messages.states.${value}`) })),
          },
        ]}
      />
      <DataTable
        label={t('messages.title')}
        query={messages}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.to}
        empty={
          search.state ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="page" title={t('messages.emptyTitle')} text={t('messages.emptyText')} />
          )
        }
      />
    </>
  );
}
