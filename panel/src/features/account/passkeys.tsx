import type { Passkey } from '@portico/contract/passkeys.ts';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { usePasskeys } from '#features/account/passkeys.api.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Column } from '#ui/data-table.tsx';
import { AddButton, ListTable, onOnePage, useListPage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const dialogs = () => import('#features/account/passkey-dialogs.tsx');
const PasskeyAdd = lazyPart(dialogs, 'PasskeyAdd');
const PasskeyRename = lazyPart(dialogs, 'PasskeyRename');
const PasskeyRemove = lazyPart(dialogs, 'PasskeyRemove');

/** The user's passkeys. Browsers offer them on secure pages only. */
export function Passkeys() {
  const { t } = useTranslation('account');
  const passkeys = usePasskeys();
  const list = useListPage<Passkey>();
  const [renamed, setRenamed] = useState<Passkey>();
  const isSupported = 'PublicKeyCredential' in window;
  const columns: Column<Passkey>[] = [
    {
      key: 'name',
      label: t('passkeys.name'),
      cell: row => (
        <span className={classes.place}>
          {row.name}
          {!row.here && <small>{t('passkeys.elsewhere', { host: row.host })}</small>}
        </span>
      ),
    },
    {
      key: 'created',
      label: t('passkeys.created'),
      nowrap: true,
      cell: row => formatDateTime(row.created_at),
      onPhone: 'labelled',
    },
    {
      key: 'used',
      onPhone: 'labelled',
      label: t('passkeys.used'),
      nowrap: true,
      cell: row => (row.last_used_at ? <RelativeTime time={row.last_used_at} /> : t('passkeys.never')),
    },
  ];
  return (
    <section aria-labelledby="passkeys" className={classes.signIns}>
      <div className={classes.bar}>
        <div>
          <h2 id="passkeys">{t('passkeys.title')}</h2>
          <p>{t(isSupported ? 'passkeys.help' : 'passkeys.unsupported')}</p>
        </div>
        {isSupported && <AddButton label={t('passkeys.add')} onClick={list.add} />}
      </div>
      <ListTable
        list={list}
        label={t('passkeys.title')}
        query={onOnePage(passkeys)}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        rowActions={row => [
          { label: t('passkeys.rename'), icon: IconPencil, onClick: () => setRenamed(row) },
          list.deleteAction(row, { label: t('passkeys.remove') }),
        ]}
        empty={{ drawing: 'page', title: t('passkeys.emptyTitle'), text: t('passkeys.emptyText') }}
        form={(_, close) => <PasskeyAdd onClose={close} />}
        deletion={(row, close) => <PasskeyRemove passkey={row} onClose={close} />}
      />
      {renamed && <PasskeyRename passkey={renamed} onClose={() => setRenamed(undefined)} />}
    </section>
  );
}
