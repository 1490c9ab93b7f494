import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndSignIns, useSignIns } from '#features/account/account.api.ts';
import classes from '#features/account/account.module.css';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Column } from '#ui/data-table.tsx';
import { ListTable, onOnePage } from '#ui/list-page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RowName } from '#ui/row-name.tsx';
import { Tag } from '#ui/tag.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

type SignIn = NonNullable<ReturnType<typeof useSignIns>['data']>['data'][number];

/** The user's own sessions in the panel; each can be ended. */
export function SignIns() {
  const { t } = useTranslation(['account', 'common']);
  const signIns = useSignIns();
  const end = useEndSignIns();
  const [ending, setEnding] = useState<readonly SignIn[]>();
  const others = signIns.data?.data.filter(each => !each.current) ?? [];
  const nameOf = (row: SignIn) => row.name || t('signIns.unknown');

  const columns: Column<SignIn>[] = [
    {
      key: 'device',
      label: t('signIns.device'),
      cell: row => (
        <RowName name={nameOf(row)}>{row.current && <Tag tone="accent">{t('signIns.current')}</Tag>}</RowName>
      ),
    },
    {
      key: 'place',
      onPhone: true,
      label: t('signIns.place'),
      cell: row => (
        <span className={classes.place}>
          {row.network ? t(`signIns.network.${row.network}`) : '–'}
          {row.ip && <small>{row.ip}</small>}
        </span>
      ),
    },
    { key: 'since', label: t('signIns.since'), nowrap: true, cell: row => formatDateTime(row.created_at) },
    {
      key: 'used',
      label: t('signIns.used'),
      nowrap: true,
      cell: row => <RelativeTime time={row.last_used_at} />,
      onPhone: 'labelled',
    },
  ];
  return (
    <section aria-labelledby="sign-ins" className={classes.signIns}>
      <div className={classes.bar}>
        <div>
          <h2 id="sign-ins">{t('signIns.title')}</h2>
          <p>{t('signIns.help')}</p>
        </div>
        {others.length > 1 && (
          <Button variant="default" onClick={() => setEnding(others)}>
            {t('signIns.endOthers')}
          </Button>
        )}
      </div>
      <ListTable
        label={t('signIns.title')}
        query={onOnePage(signIns)}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        rowActions={row => [
          !row.current && { label: t('signIns.end'), icon: IconLogout, onClick: () => setEnding([row]), danger: true },
        ]}
        empty={{ drawing: 'clock', title: t('signIns.title'), text: t('signIns.help') }}
      />
      {ending && (
        <Confirm
          opened
          title={t('signIns.endTitle', { count: ending.length })}
          text={ending.length === 1 && ending[0] ? nameOf(ending[0]) : t('signIns.endAllText')}
          confirm={t('signIns.end')}
          cancel={t('common:cancel')}
          danger
          pending={end.isPending}
          onConfirm={() =>
            end.mutate(
              ending.map(each => each.id),
              { onSettled: () => setEnding(undefined) },
            )
          }
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}
