import type { Invitation } from '@portico/contract/team.ts';
import { IconMailForward, IconMailX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MemberRoles } from '#features/team/member-roles.tsx';
import { useCancelInvitation, useInvitations, useResend } from '#features/team/team.api.ts';
import classes from '#features/team/team.module.css';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import type { Column } from '#ui/data-table.tsx';
import { ListTable, onOnePage, useListPage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const nameOf = ({ first_name, last_name }: Invitation) => `${first_name} ${last_name}`.trim();

/** The open invitations of a location. */
export function InvitationsTable({ locationId }: { locationId: string }) {
  const { t } = useTranslation(['team', 'common']);
  const mayChange = useCan()('update-location');
  const invitations = useInvitations(locationId);
  const resend = useResend();
  const cancel = useCancelInvitation();
  const list = useListPage<Invitation>();

  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      label: t('email'),
      cell: row => <RowName name={row.email}>{nameOf(row) && <small>{nameOf(row)}</small>}</RowName>,
    },
    {
      key: 'authority',
      onPhone: true,
      label: t('authority'),
      cell: row => <MemberRoles locationId={locationId} roles={row.roles} granted={row.permissions} />,
    },
    { key: 'sent', label: t('invitedAt'), nowrap: true, cell: row => <RelativeTime time={row.sent_at} /> },
    {
      key: 'state',
      onPhone: true,
      label: t('state'),
      nowrap: true,
      cell: row =>
        row.status === 'expired' ? (
          <StatusDot tone="warn">{t('expired')}</StatusDot>
        ) : (
          <span>
            {t('expires')} <RelativeTime time={row.expires_at} />
          </span>
        ),
    },
  ];

  return (
    <section className={classes.section} aria-labelledby="team-invitations">
      <h2 id="team-invitations" className={classes.heading}>
        {t('pending')}
        {invitations.data && <span>{formatNumber(invitations.data.meta.total)}</span>}
      </h2>
      <ListTable
        list={list}
        label={t('pending')}
        query={onOnePage(invitations)}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.email}
        rowActions={
          mayChange &&
          (row => [
            { label: t('resend'), icon: IconMailForward, onClick: () => resend.mutate(row) },
            list.deleteAction(row, { label: t('cancel'), icon: IconMailX }),
          ])
        }
        empty={{
          drawing: 'page',
          title: t('pendingEmptyTitle'),
          text: t('pendingEmptyText'),
        }}
        deletion={{
          action: t('cancel'),
          mutation: cancel,
          title: t('cancelTitle'),
          text: row => t('cancelText', { email: row.email }),
        }}
      />
    </section>
  );
}
