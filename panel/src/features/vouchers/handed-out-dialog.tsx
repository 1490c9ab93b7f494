import { Button, Modal } from '@mantine/core';
import type { VoucherCard, VoucherDesk } from '@portico/contract/vouchers.ts';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '#features/vouchers/desk.module.css';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import modal from '#ui/modal.module.css';
import { QrCode } from '#ui/qr-code.tsx';

export interface Given {
  batch: VoucherDesk['batches'][number];
  cards: readonly VoucherCard[];
}

/** The voucher that was handed out, large enough for the guest to read or scan from the screen. */
export function HandedOutDialog({
  given,
  onPrint,
  onClose,
}: {
  given: Given;
  onPrint: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['vouchers', 'common']);
  const { batch, cards } = given;
  const [first, ...others] = cards;
  const { location_id: id } = batch;
  const printers = useQuery(queryOf(api.printers.list, { params: { id } })).data?.data ?? [];
  // A failure is a toast with its reason. The dialog stays open, so that it can be tried again.
  const receipt = useChange({
    send: (printer: string) =>
      call(api.printers.print, {
        params: { id: printer },
        body: { batch_id: batch.id, voucher_ids: cards.map(it => it.id) },
      }),
    refresh: [],
    done: t('printers.printed'),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={batch.name}
      size={480}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={modal}
    >
      <div className={classes.shown}>
        {first && others.length === 0 && (
          <>
            <QrCode
              className={classes.qr}
              text={first.sign_in_url}
              label={t('card.signInCode', { number: first.number })}
            />
            <code className={classes.large}>{first.code}</code>
          </>
        )}
        {others.length > 0 && <p>{t('desk.made', { count: cards.length })}</p>}
        {printers.map((printer, index) => (
          <Button
            key={printer.id}
            size="lg"
            fullWidth
            leftSection={<IconPrinter size={20} />}
            data-autofocus={index === 0 || undefined}
            disabled={receipt.isPending}
            loading={receipt.isPending && receipt.variables === printer.id}
            onClick={() => receipt.mutate(printer.id, { onSuccess: onClose })}
          >
            {t('printers.printOn', { name: printer.name })}
          </Button>
        ))}
        <Button
          size="lg"
          fullWidth
          variant={printers.length ? 'default' : 'filled'}
          leftSection={<IconPrinter size={20} />}
          data-autofocus={printers.length === 0 || undefined}
          onClick={onPrint}
        >
          {t('print')}
        </Button>
      </div>
    </Modal>
  );
}
