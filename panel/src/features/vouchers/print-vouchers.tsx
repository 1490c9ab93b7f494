import { Button, Select } from '@mantine/core';
import type { VoucherCard } from '@portico/contract/vouchers.ts';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CardBatch, type CardSettings, type Paper, VoucherSheet } from '#features/vouchers/voucher-sheet.tsx';
import { csvText, downloadCsv } from '#lib/csv-file.ts';
import { PrintDialog } from '#ui/print-dialog.tsx';

/** Repeated here, because importing the contract's list would load its schemas. */
export const papers = ['a4', 'receipt-80', 'receipt-58', 'label'] as const satisfies readonly Paper[];

interface Props {
  cards: readonly VoucherCard[];
  batch: CardBatch;
  settings: CardSettings;
  onClose: () => void;
}

/** Vouchers to print or to download. The screen shows them exactly as they are printed. */
export function PrintVouchers({ cards, batch, settings, onClose }: Props) {
  const { t } = useTranslation('vouchers');
  const [paper, setPaper] = useState<Paper>(settings.paper);
  const csv = () =>
    csvText([
      [t('number'), t('code'), t('card.link')],
      ...cards.map(it => [String(it.number), it.code, it.sign_in_url]),
    ]);
  return (
    <PrintDialog
      title={t('card.title', { count: cards.length, name: batch.name })}
      onClose={onClose}
      bar={
        <>
          <p>{cards.length ? t('card.hint') : t('card.none')}</p>
          <Select
            aria-label={t('card.paper')}
            w={200}
            allowDeselect={false}
            data={papers.map(it => ({ value: it, label: t(`paper.${it}`) }))}
            value={paper}
            onChange={value => setPaper(value as Paper)}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={!cards.length}
            onClick={() => downloadCsv('vouchers.csv', csv())}
          >
            {t('card.csv')}
          </Button>
          <Button leftSection={<IconPrinter size={16} />} disabled={!cards.length} onClick={() => print()}>
            {t('print')}
          </Button>
        </>
      }
    >
      <VoucherSheet cards={cards} batch={batch} settings={settings} paper={paper} />
    </PrintDialog>
  );
}
