import { Button, Modal } from '@mantine/core';
import type { VoucherCard, VoucherDesk } from '@portico/contract/vouchers.ts';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/vouchers/desk.module.css';
import modal from '#ui/modal.module.css';
import { QrCode } from '#ui/qr-code.tsx';

export interface Given {
  batch: VoucherDesk['batches'][number];
  cards: readonly VoucherCard[];
}

/** What was handed out: large enough for the guest to read or scan from the screen. */
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
        <Button size="lg" fullWidth leftSection={<IconPrinter size={20} />} data-autofocus onClick={onPrint}>
          {t('print')}
        </Button>
      </div>
    </Modal>
  );
}
