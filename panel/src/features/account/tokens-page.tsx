import type { PersonalToken } from '@portico/contract/tokens.ts';
import { useTranslation } from 'react-i18next';
import { useDeleteToken, useTokens } from '#features/account/account.api.ts';
import classes from '#features/account/account.module.css';
import { AccountHeader } from '#features/account/account-header.tsx';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Column } from '#ui/data-table.tsx';
import { AddButton, ListTable, onOnePage, useListPage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const TokenForm = lazyPart(() => import('#features/account/token-form.tsx'), 'TokenForm');
const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** API tokens for the user's own software. */
export function TokensPage() {
  const { t } = useTranslation(['account', 'common']);
  const tokens = useTokens();
  const revoke = useDeleteToken();
  const list = useListPage<PersonalToken>();
  const columns: Column<PersonalToken>[] = [
    { key: 'name', label: t('tokens.name'), cell: row => row.name },
    {
      key: 'location',
      label: t('tokens.location'),
      cell: row => row.location?.name ?? t('tokens.everywhere'),
    },
    {
      key: 'permissions',
      label: t('tokens.permissions'),
      from: 'md',
      cell: row => (
        <span title={row.permissions.join(', ')}>{t('tokens.count', { count: row.permissions.length })}</span>
      ),
    },
    {
      key: 'used',
      label: t('tokens.used'),
      nowrap: true,
      cell: row => (row.last_used_at ? <RelativeTime time={row.last_used_at} /> : t('tokens.never')),
    },
    {
      key: 'expires',
      label: t('tokens.expires'),
      nowrap: true,
      cell: row => formatDateTime(row.expires_at),
    },
  ];
  return (
    <>
      <AccountHeader />
      <section aria-labelledby="tokens" className={classes.signIns}>
        <div className={classes.bar}>
          <div>
            <h2 id="tokens">{t('tokens.title')}</h2>
            <p>
              {t('tokens.help')} <a href="/docs">{t('tokens.docs')}</a>
            </p>
          </div>
          <AddButton label={t('tokens.add')} onClick={list.add} />
        </div>
        <ListTable
          list={list}
          label={t('tokens.title')}
          query={onOnePage(tokens)}
          columns={columns}
          rowKey={row => row.id}
          rowName={row => row.name}
          rowActions={row => [list.deleteAction(row, { label: t('tokens.revoke') })]}
          empty={{ drawing: 'page', title: t('tokens.emptyTitle'), text: t('tokens.emptyText') }}
          form={(_, close) => <TokenForm onClose={close} />}
          deletion={(row, close) => (
            <Confirm
              opened
              title={t('tokens.revokeTitle')}
              text={t('tokens.revokeText', { name: row.name })}
              confirm={t('tokens.revoke')}
              cancel={t('common:cancel')}
              danger
              pending={revoke.isPending}
              onConfirm={() => revoke.mutate(row.id, { onSettled: close })}
              onClose={close}
            />
          )}
        />
      </section>
    </>
  );
}
