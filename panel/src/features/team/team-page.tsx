import { memberOrders } from '@portico/contract/list-orders.ts';
import type { Member } from '@portico/contract/team.ts';
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LocationTab } from '#features/locations/public.ts';
import { InvitationsTable } from '#features/team/invitations-table.tsx';
import { LocationRoles } from '#features/team/location-roles.tsx';
import { MemberRoles } from '#features/team/member-roles.tsx';
import { useMembers, useRevoke } from '#features/team/team.api.ts';
import classes from '#features/team/team.module.css';
import { api } from '#lib/api.ts';
import { formatDate, formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { useLive } from '#lib/use-live.ts';
import { useUser } from '#lib/user.ts';
import { Below } from '#ui/below.tsx';
import type { Column } from '#ui/data-table.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { RowName } from '#ui/row-name.tsx';
import { useSorting } from '#ui/sorting.ts';
import { Tag } from '#ui/tag.tsx';

const MemberForm = lazyPart(() => import('#features/team/member-form.tsx'), 'MemberForm');
const InviteForm = lazyPart(() => import('#features/team/invite-form.tsx'), 'InviteForm');

const nameOf = (row: Member) => row.full_name || row.email;

/** The administrators of a location, its open invitations and its roles. */
export function TeamPage() {
  const { t } = useTranslation(['team', 'common']);
  const { locationId } = useParams({ from: '/shell/locations/$locationId/edit/users' });
  const mayChange = useCan()('update-location');
  const me = useUser();
  const [search] = useListSearch();
  const sorting = useSorting(memberOrders, { by: 'since', order: 'desc' });
  const members = useMembers(locationId, search, sorting);
  const revoke = useRevoke(locationId);
  const [inviting, setInviting] = useState(false);
  const list = useListPage<Member>();
  useLive('team', api.team.list, api.team.invites, api.locationRoles.list);

  const add = mayChange && <AddButton label={t('add')} icon={IconUserPlus} onClick={() => setInviting(true)} />;
  const columns: Column<Member>[] = [
    {
      key: 'name',
      label: t('name'),
      sort: { by: 'name', first: 'asc' },
      cell: row => (
        <RowName name={nameOf(row)} onOpen={mayChange ? () => list.edit(row) : undefined}>
          {row.id === me.id && <Tag tone="accent">{t('you')}</Tag>}
          {row.is_owner && <Tag>{t('owner')}</Tag>}
        </RowName>
      ),
    },
    { key: 'email', label: t('email'), cell: row => <EmailText email={row.email} />, onPhone: true },
    {
      key: 'since',
      label: t('since'),
      sort: { by: 'since', first: 'desc' },
      nowrap: true,
      cell: row => formatDate(row.created_at),
      from: 'md',
    },
    {
      key: 'authority',
      onPhone: true,
      label: t('authority'),
      cell: row => <MemberRoles locationId={locationId} roles={row.roles} granted={row.permissions} />,
    },
    {
      key: 'devices',
      label: t('devices'),
      cell: row => (row.deviceIds ? t('deviceCount', { count: row.deviceIds.length }) : t('allDevices')),
      from: 'md',
    },
  ];

  return (
    <LocationTab locationId={locationId}>
      <section className={classes.section} aria-labelledby="team-members">
        <h2 id="team-members" className={classes.heading}>
          {t('title')}
          {members.data && <span>{formatNumber(members.data.meta.total)}</span>}
        </h2>
        <FilterBar search={{ key: 'search', placeholder: t('search') }}>{add}</FilterBar>
        <ListTable
          list={list}
          label={t('title')}
          query={members}
          columns={columns}
          rowKey={row => row.id}
          rowName={nameOf}
          onRowClick={mayChange ? list.edit : undefined}
          sorting={sorting}
          rowActions={
            mayChange &&
            (row => [list.editAction(row), list.deleteAction(row, { label: t('revoke'), icon: IconUserMinus })])
          }
          filtered={['search']}
          empty={{ drawing: 'people', title: t('emptyTitle'), text: t('emptyText'), action: add }}
          form={(member, close) => member && <MemberForm locationId={locationId} member={member} onClose={close} />}
          deletion={{
            action: t('revoke'),
            mutation: revoke,
            title: t('revokeTitle'),
            text: row => t(row.id === me.id ? 'revokeSelf' : 'revokeText', { name: nameOf(row) }),
          }}
        />
      </section>
      <Below list={members}>
        <InvitationsTable locationId={locationId} />
        <LocationRoles locationId={locationId} />
      </Below>
      {inviting && <InviteForm locationId={locationId} onClose={() => setInviting(false)} />}
    </LocationTab>
  );
}
