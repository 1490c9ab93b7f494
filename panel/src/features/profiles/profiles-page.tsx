import { Button } from '@mantine/core';
import type { Profile } from '@portico/contract/profiles.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LocationHeader } from '#features/locations/public.ts';
import { useProfiles } from '#features/profiles/profiles.api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import { NoMatch } from '#ui/no-match.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const ProfileForm = lazyPart(() => import('#features/profiles/profile-form.tsx'), 'ProfileForm');
const ProfileDelete = lazyPart(() => import('#features/profiles/profile-delete.tsx'), 'ProfileDelete');

export function ProfilesPage() {
  const { t } = useTranslation(['profiles', 'common']);
  const { locationId } = useParams({ from: '/shell/locations/$locationId/edit/user-profiles' });
  const mayChange = useCan()('update-location');
  const limitText = useLimitText();
  const [search] = useListSearch();
  const profiles = useProfiles(locationId, search);
  const [editing, setEditing] = useState<Profile | 'new'>();
  const [deleting, setDeleting] = useState<Profile>();

  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t('add')}
    </Button>
  );
  const columns: Column<Profile>[] = [
    {
      key: 'name',
      label: t('name'),
      cell: row => (
        <RowName onOpen={mayChange ? () => setEditing(row) : undefined} name={row.name}>
          {row.is_default && <Tag tone="accent">{t('default')}</Tag>}
        </RowName>
      ),
    },
    { key: 'devices', label: t('sharedUser'), cell: row => formatNumber(row.shared_user), numeric: true },
    { key: 'duration', label: t('duration'), cell: row => limitText(row.session_duration), numeric: true },
    { key: 'download', label: t('download'), cell: row => limitText(row.max_download), numeric: true },
    { key: 'upload', label: t('upload'), cell: row => limitText(row.max_upload), numeric: true, from: 'md' },
    {
      key: 'price',
      label: t('price'),
      cell: row => limitText(row.paid_sale, t('common:limit.free')),
      numeric: true,
      from: 'md',
    },
    { key: 'visitors', label: t('visitors'), cell: row => formatNumber(row.visitors), numeric: true, from: 'lg' },
    { key: 'created', label: t('createdAt'), nowrap: true, cell: row => formatDate(row.created_at), from: 'lg' },
  ];

  return (
    <>
      <LocationHeader locationId={locationId} />
      <FilterBar search={{ key: 'search', placeholder: t('search') }}>{add}</FilterBar>
      <DataTable
        label={t('title')}
        query={profiles}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        onRowClick={mayChange ? setEditing : undefined}
        rowActions={
          mayChange
            ? row => [
                { label: t('common:edit'), icon: IconPencil, onClick: () => setEditing(row) },
                { label: t('common:delete'), icon: IconTrash, onClick: () => setDeleting(row), danger: true },
              ]
            : undefined
        }
        empty={
          search.search ? (
            <NoMatch />
          ) : (
            <EmptyState drawing="gauge" title={t('emptyTitle')} text={t('emptyText')}>
              {add}
            </EmptyState>
          )
        }
      />
      {editing && (
        <ProfileForm
          locationId={locationId}
          profile={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ProfileDelete
          profile={deleting}
          onAdd={() => {
            setDeleting(undefined);
            setEditing('new');
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
