import { Button, Group, Modal } from '@mantine/core';
import type { Printer } from '@portico/contract/printers.ts';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/vouchers/desk.module.css';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useChange } from '#lib/queries.ts';
import { Confirm } from '#ui/confirm.tsx';
import modal from '#ui/modal.module.css';

const PrinterForm = lazyPart(() => import('#features/vouchers/printer-form.tsx'), 'PrinterForm');

/** The receipt printers of a location. */
export function PrintersDialog({ locationId, onClose }: { locationId: string; onClose: () => void }) {
  const { t } = useTranslation(['vouchers', 'common']);
  const printers = useQuery(queryOf(api.printers.list, { params: { id: locationId } })).data?.data;
  const [edited, edit] = useState<Printer | 'new'>();
  const [removed, remove] = useState<Printer>();
  const removal = useChange({
    send: ({ id }: Printer) => call(api.printers.delete, { params: { id } }),
    refresh: [api.printers.list],
    done: t('printers.deleted'),
  });
  if (edited)
    return (
      <PrinterForm
        locationId={locationId}
        item={edited === 'new' ? undefined : edited}
        onClose={() => edit(undefined)}
      />
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('printers.title')}
      size={520}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <p>{printers?.length === 0 ? t('printers.none') : t('printers.about')}</p>
      <ul className={classes.printers}>
        {printers?.map(it => (
          <li key={it.id} className={classes.row}>
            <span>
              {it.name}
              <small>
                {it.host}:{it.port} · {t(`paper.receipt-${it.paper}`)}
              </small>
            </span>
            <Group gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={t('printers.editOf', { name: it.name })}
                onClick={() => edit(it)}
              >
                <IconPencil size={18} />
              </Button>
              <Button
                variant="subtle"
                size="compact-md"
                color="red"
                aria-label={t('printers.deleteOf', { name: it.name })}
                onClick={() => remove(it)}
              >
                <IconTrash size={18} />
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      <Button leftSection={<IconPlus size={16} />} data-autofocus onClick={() => edit('new')}>
        {t('printers.add')}
      </Button>
      {removed && (
        <Confirm
          opened
          title={t('printers.deleteTitle', { name: removed.name })}
          text={t('printers.deleteText')}
          confirm={t('common:delete')}
          cancel={t('common:back')}
          danger
          pending={removal.isPending}
          onConfirm={() => removal.mutate(removed, { onSuccess: () => remove(undefined) })}
          onClose={() => remove(undefined)}
        />
      )}
    </Modal>
  );
}
