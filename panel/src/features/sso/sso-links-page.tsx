import type { SsoLink } from '@portico/contract/sso.ts';
import { IconUnlink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSsoLinks, useUnlink } from '#features/sso/sso.api.ts';
import { SettingsHeader } from '#features/tenants/public.ts';
import { formatDateTime } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';
import { EmailText } from '#ui/email-text.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { ListTable, useListPage } from '#ui/list-page.tsx';

/** The accounts that sign in through an identity provider. */
export function SsoLinksPage() {
  const { t } = useTranslation(['sso', 'common']);
  const mayChange = useCan()('tenant-admin');
  const [search] = useListSearch();
  const links = useSsoLinks(search);
  const remove = useUnlink();
  const list = useListPage<SsoLink>();
  const nameOf = ({ user }: SsoLink) => user.full_name || user.email;
  const columns: Column<SsoLink>[] = [
    { key: 'name', label: t('links.name'), cell: nameOf },
    { key: 'email', label: t('links.email'), cell: row => <EmailText email={row.user.email} />, onPhone: true },
    {
      key: 'there',
      label: t('links.there'),
      cell: row => (row.email ? <EmailText email={row.email} /> : '–'),
      from: 'lg',
    },
    { key: 'issuer', label: t('issuer'), cell: row => row.issuer, from: 'md' },
    {
      key: 'used',
      label: t('links.used'),
      nowrap: true,
      cell: row => formatDateTime(row.last_used_at),
      onPhone: 'labelled',
    },
  ];
  return (
    <>
      <SettingsHeader />
      <FilterBar search={{ key: 'search', placeholder: t('links.search') }} />
      <ListTable
        list={list}
        label={t('links.title')}
        query={links}
        columns={columns}
        rowKey={row => row.id}
        rowName={nameOf}
        rowActions={mayChange && (row => [list.deleteAction(row, { label: t('links.separate'), icon: IconUnlink })])}
        empty={{ drawing: 'people', title: t('links.emptyTitle'), text: t('links.emptyText') }}
        deletion={{
          mutation: remove,
          title: t('links.separateTitle'),
          text: row => t('links.separateText', { name: nameOf(row) }),
        }}
      />
    </>
  );
}
