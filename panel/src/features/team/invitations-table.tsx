import { Button } from '@mantine/core';
import type { Invitation } from '@portico/contract/team.ts';
import { IconMailForward, IconMailX, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Authority } from '#features/team/authority.tsx';
import { useCancelInvitation, useInvitations, useResend } from '#features/team/team.api.ts';
import classes from '#features/team/team.module.css';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const ConfirmDelete = lazyPart(() => import('#ui/confirm-delete.tsx'), 'ConfirmDelete');

const nameOf = ({ first_name, last_name }: Invitation) => `${first_name} ${last_name}`.trim();

/** Invitations that wait for their answer. */
export function InvitationsTable({ locationId, onInvite }: { locationId: string; onInvite: () => void }) {
  const { t } = useTranslation(['team', 'common']);
  const mayChange = useCan()('update-location');
  const invitations = useInvitations(locationId);
  const resend = useResend();
  const cancel = useCancelInvitation();
  const [cancelling, setCancelling] = useState<Invitation>();

  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      label: t('email'),
      cell: row => <RowName name={row.email}>{nameOf(row) && <small>{nameOf(row)}</small>}</RowName>,
    },
    {
      key: 'authority',
      label: t('authority'),
      cell: row => <Authority locationId={locationId} roles={row.roles} granted={row.permissions} />,
    },
    { key: 'sent', label: t('invitedAt'), nowrap: true, cell: row => <RelativeTime time={row.sent_at} /> },
    {
      key: 'state',
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
      <DataTable
        label={t('pending')}
        query={{ ...invitations, data: invitations.data && { data: invitations.data.data } }}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.email}
        rowActions={
          mayChange
            ? row => [
                { label: t('resend'), icon: IconMailForward, onClick: () => resend.mutate(row) },
                { label: t('cancel'), icon: IconMailX, onClick: () => setCancelling(row), danger: true },
              ]
            : undefined
        }
        empty={
          <EmptyState drawing="page" title={t('pendingEmptyTitle')} text={t('pendingEmptyText')}>
            {mayChange && (
              <Button variant="default" leftSection={<IconUserPlus size={16} />} onClick={onInvite}>
                {t('add')}
              </Button>
            )}
          </EmptyState>
        }
      />
      {cancelling && (
        <ConfirmDelete
          name={cancelling.email}
          title={t('cancelTitle')}
          text={t('cancelText', { email: cancelling.email })}
          pending={cancel.isPending}
          onConfirm={() => cancel.mutate(cancelling, { onSuccess: () => setCancelling(undefined) })}
          onClose={() => setCancelling(undefined)}
        />
      )}
    </section>
  );
}
