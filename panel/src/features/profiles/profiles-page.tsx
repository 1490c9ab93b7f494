import type { Profile } from '@portico/contract/profiles.ts';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LocationTab } from '#features/locations/public.ts';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { pagingOf, useListSearch } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import type { Column } from '#ui/data-table.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const ProfileForm = lazyPart(() => import('#features/profiles/profile-dialogs.tsx'), 'ProfileForm');
const ProfileDelete = lazyPart(() => import('#features/profiles/profile-dialogs.tsx'), 'ProfileDelete');

export function ProfilesPage() {
  const { t } = useTranslation(['profiles', 'common', 'limit']);
  const { locationId } = useParams({ from: '/shell/locations/$locationId/edit/user-profiles' });
  const mayChange = useCan()('update-location');
  const limitText = useLimitText();
  const [search] = useListSearch();
  const query = { location_id: locationId, ...pagingOf(search), search: search.search };
  const profiles = useList(queryOf(api.profiles.list, { query }));
  const list = useListPage<Profile>();
  const add = mayChange && <AddButton label={t('add')} onClick={list.add} />;
  const columns: Column<Profile>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName onOpen={mayChange ? () => list.edit(row) : undefined} name={row.name}>
          {row.is_default && <Tag tone="accent">{t('default')}</Tag>}
        </RowName>
      ),
    },
    {
      key: 'devices',
      label: t('sharedUser'),
      cell: row => formatNumber(row.shared_user),
      numeric: true,
      onPhone: 'labelled',
    },
    {
      key: 'duration',
      label: t('duration'),
      cell: row => limitText(row.session_duration),
      numeric: true,
      onPhone: 'labelled',
    },
    {
      key: 'download',
      label: t('download'),
      cell: row => limitText(row.max_download),
      numeric: true,
      onPhone: 'labelled',
    },
    { key: 'upload', label: t('upload'), cell: row => limitText(row.max_upload), numeric: true, from: 'md' },
    {
      key: 'price',
      label: t('price'),
      cell: row => limitText(row.paid_sale, t('limit:free')),
      numeric: true,
      from: 'md',
    },
    { key: 'visitors', label: t('visitors'), cell: row => formatNumber(row.visitors), numeric: true, from: 'lg' },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'lg' },
  ];

  return (
    <LocationTab locationId={locationId}>
      <FilterBar search={{ key: 'search', placeholder: t('search') }}>{add}</FilterBar>
      <ListTable
        list={list}
        label={t('title')}
        query={profiles}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={mayChange ? list.edit : undefined}
        rowActions={mayChange && (row => [list.editAction(row), list.deleteAction(row)])}
        filtered={['search']}
        empty={{ drawing: 'gauge', title: t('emptyTitle'), text: t('emptyText'), action: add }}
        form={(profile, close) => <ProfileForm locationId={locationId} profile={profile} onClose={close} />}
        deletion={(profile, close) => <ProfileDelete profile={profile} onAdd={list.add} onClose={close} />}
      />
    </LocationTab>
  );
}
