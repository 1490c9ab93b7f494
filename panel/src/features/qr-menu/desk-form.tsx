import { Textarea, TextInput } from '@mantine/core';
import { type Desk, deskForm } from '@portico/contract/qr-menu.ts';
import { useTranslation } from 'react-i18next';
import { deskNames } from '#features/qr-menu/desk-names.ts';
import { useSaveDesk } from '#features/qr-menu/qr-menu.api.ts';
import classes from '#features/qr-menu/qr-menu.module.css';
import { ShownSwitch } from '#features/qr-menu/visibility-status.tsx';
import { formatNumber } from '#lib/format.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  desk: Desk | undefined;
  onClose: () => void;
}

export function DeskForm({ desk, onClose }: Props) {
  const { t } = useTranslation('qr-menu');
  const working = useWorkingLocation();
  const save = useSaveDesk(desk);
  const form = useContractForm({
    schema: async () => deskForm,
    initial: {
      location_id: desk?.location_id ?? working,
      title: desk?.title ?? '',
      description: desk?.description ?? '',
      prefix: desk?.prefix ?? '',
      number_start: desk?.number_start ?? 1,
      number_end: desk?.number_end ?? 1,
      status: desk?.status ?? (1 as 0 | 1),
    },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  const count = Number(values.number_end) - Number(values.number_start) + 1;
  return (
    <FormModal title={t(desk ? 'desk.edit' : 'desk.add')} form={form} pending={save.isPending} onClose={onClose}>
      {!desk && <LocationField {...getInputProps('location_id')} />}
      <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('title')} />
      <Textarea label={t('description')} autosize minRows={2} maxRows={6} {...getInputProps('description')} />
      <div className={layout.three}>
        <TextInput label={t('prefix')} placeholder="A" maxLength={16} {...getInputProps('prefix')} />
        <NumberField label={t('numberStart')} withAsterisk {...getInputProps('number_start')} />
        <NumberField label={t('numberEnd')} withAsterisk {...getInputProps('number_end')} />
      </div>
      <ShownSwitch kind="desk" {...getInputProps('status')} />
      {count >= 1 && (
        <p className={classes.hint} role="status">
          {t('deskCount', { count, amount: formatNumber(count) })}:{' '}
          <strong>{deskNames(values.prefix, Number(values.number_start), Number(values.number_end))}</strong>
        </p>
      )}
    </FormModal>
  );
}
