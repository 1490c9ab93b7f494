import { consentStates, marketingChannels } from '@portico/contract/consent-kinds.ts';
import type { ConsentText } from '@portico/contract/consents.ts';
import { useTranslation } from 'react-i18next';
import { ConsentList } from '#features/consents/consent-list.tsx';
import { useConsents, useConsentTexts, useDownloadConsents, useDownloadIys } from '#features/consents/consents.api.ts';
import { api } from '#lib/api.ts';
import { formatDay } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import { DaysEditor } from '#ui/days-editor.ts';
import { FileButton } from '#ui/file-button.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { EmptyList } from '#ui/list-page.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { useTableLayout } from '#ui/table-layout.ts';
import { TableOptions } from '#ui/table-options.tsx';

/** The guests' consents to news and offers, by channel. */
export function ConsentsPage() {
  const { t } = useTranslation('consents');
  const { locations } = useUser();
  const [search] = useListSearch();
  const consents = useConsents(search);
  const texts = useConsentTexts(search);
  const layout = useTableLayout('consents');
  const file = useDownloadConsents();
  const iys = useDownloadIys();
  useLive('consents', api.consents.list);
  const total = consents.data?.meta.total;
  // Its file has all states and texts, so those that a filter leaves out too.
  const mayHaveIys = total || (consents.data && (search.search || search.states || search.versions));
  return (
    <>
      <PageHeader title={t('title')} count={total} description={t('about')}>
        <FileButton
          label={t('iys')}
          loading={iys.isPending}
          disabled={!mayHaveIys}
          onClick={() => iys.mutate(search)}
        />
        <FileButton label={t('csv')} loading={file.isPending} disabled={!total} onClick={() => file.mutate(search)} />
      </PageHeader>
      <ConsentList
        query={consents}
        layout={layout}
        bar={columns => (
          <FilterBar
            search={{ key: 'search', placeholder: t('search') }}
            filters={[
              {
                key: 'channels',
                label: t('channel'),
                kind: 'options',
                options: marketingChannels.map(value => ({ value, label: t(`channels.${value}`) })),
              },
              {
                key: 'states',
                label: t('state'),
                kind: 'options',
                single: true,
                options: consentStates.map(value => ({ value, label: t(`states.${value}`) })),
              },
              {
                key: 'versions',
                label: t('text'),
                kind: 'options',
                options: versionOptions(texts, it =>
                  t('version', {
                    channel: t(`channels.${it.channel}`),
                    language: it.language.toUpperCase(),
                    day: formatDay(it.first_given_at),
                    text: it.text,
                  }),
                ),
              },
              {
                key: 'days',
                label: t('period'),
                kind: 'custom',
                describe: value => value.split('_').map(formatDay).join(' – '),
                editor: (value = '', set) => {
                  const [first = '', last = ''] = value.split('_');
                  return <DaysEditor first={first} last={last} onChange={set} />;
                },
              },
              {
                key: 'location',
                label: t('location'),
                kind: 'options',
                single: true,
                options: locations.map(({ id, name }) => ({ value: id, label: name })),
                offered: locations.length > 1,
              },
            ]}
          >
            <TableOptions layout={layout} columns={columns} pageSizes={[15, 50, 100, 200]} />
          </FilterBar>
        )}
        empty={
          <EmptyList
            filtered={['search', 'days', 'channels', 'states', 'versions', 'location']}
            empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText') }}
          />
        }
      />
    </>
  );
}

/** One option for each sentence; the same sentence may stand beside several boxes. */
const versionOptions = (texts: readonly ConsentText[], labelOf: (it: ConsentText) => string) =>
  [...new Map(texts.map(it => [it.version, it])).values()].map(it => ({ value: it.version, label: labelOf(it) }));
