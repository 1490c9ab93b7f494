import { Select, TextInput } from '@mantine/core';
import { type Printer, printerForm, printerLetters, printerPapers } from '@portico/contract/printers.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  locationId: string;
  item: Printer | undefined;
  onClose: () => void;
}

type Values = Omit<z.output<typeof printerForm>, 'port'> & { port: number | string };

export function PrinterForm({ locationId, item, onClose }: Props) {
  const { t } = useTranslation('vouchers');
  const save = useChange({
    send: (body: z.input<typeof printerForm>) =>
      item
        ? call(api.printers.update, { params: { id: item.id }, body })
        : call(api.printers.create, { params: { id: locationId }, body }),
    refresh: [api.printers.list],
    done: t('printers.saved'),
  });
  const form = useContractForm<typeof printerForm, Values>({
    schema: async () => printerForm,
    initial: {
      name: item?.name ?? '',
      host: item?.host ?? '',
      port: item?.port ?? 9100,
      paper: item?.paper ?? '80',
      letters: item?.letters ?? 'cp857',
    },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { getInputProps } = form.form;
  const title = item ? t('printers.edit') : t('printers.add');
  return (
    <FormModal title={title} form={form} pending={save.isPending} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus autoComplete="off" {...getInputProps('name')} />
      <div className={layout.two}>
        <TextInput
          label={t('printers.host')}
          withAsterisk
          autoComplete="off"
          spellCheck={false}
          placeholder="192.168.1.50"
          {...getInputProps('host')}
        />
        <NumberField label={t('printers.port')} {...getInputProps('port')} />
      </div>
      <div className={layout.two}>
        <Select
          label={t('card.paper')}
          allowDeselect={false}
          data={printerPapers.map(it => ({ value: it, label: t(`paper.receipt-${it}`) }))}
          {...getInputProps('paper')}
        />
        <Select
          label={t('printers.letters')}
          description={t('printers.lettersHelp')}
          allowDeselect={false}
          data={printerLetters.map(it => ({ value: it, label: t(`printers.pages.${it}`) }))}
          {...getInputProps('letters')}
        />
      </div>
    </FormModal>
  );
}
