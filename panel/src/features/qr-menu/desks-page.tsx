import { Button } from '@mantine/core';
import type { Desk } from '@portico/contract/qr-menu.ts';
import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deskNames } from '#features/qr-menu/desk-names.ts';
import { MenuList } from '#features/qr-menu/menu-list.tsx';
import { useDesks } from '#features/qr-menu/qr-menu.api.ts';
import { VisibilityStatus } from '#features/qr-menu/visibility-status.tsx';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import type { Column } from '#ui/data-table.tsx';

const DeskCodes = lazyPart(() => import('#features/qr-menu/desk-codes.tsx'), 'DeskCodes');
const DeskForm = lazyPart(() => import('#features/qr-menu/desk-form.tsx'), 'DeskForm');

export function DesksPage() {
  const { t } = useTranslation('qr-menu');
  const [search] = useListSearch();
  const [shown, setShown] = useState<Desk>();
  const columns: Column<Desk>[] = [
    { key: 'description', label: t('description'), cell: row => row.description || '–', from: 'md' },
    { key: 'prefix', label: t('prefix'), cell: row => row.prefix || '–' },
    {
      key: 'names',
      onPhone: true,
      label: t('desks'),
      nowrap: true,
      cell: row => deskNames(row.prefix, row.number_start, row.number_end),
      from: 'md',
    },
    { key: 'number', label: t('number'), cell: row => formatNumber(row.number), numeric: true },
    {
      key: 'scans',
      label: t('scans'),
      cell: row => formatNumber(row.scans),
      numeric: true,
      from: 'md',
      onPhone: 'labelled',
    },
    {
      key: 'status',
      label: t('status'),
      nowrap: true,
      cell: row => <VisibilityStatus status={row.status} />,
      onPhone: true,
    },
    {
      key: 'codes',
      onPhone: true,
      label: t('codes.show'),
      cell: row => (
        <Button variant="default" size="xs" leftSection={<IconQrcode size={14} />} onClick={() => setShown(row)}>
          {t('codes.show')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <MenuList
        kind="desk"
        query={useDesks(search)}
        columns={columns}
        form={(desk, close) => <DeskForm desk={desk} onClose={close} />}
      />
      {shown && <DeskCodes desk={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
