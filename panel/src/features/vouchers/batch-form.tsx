import { SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { currencies, durationUnits } from '@portico/contract/units.ts';
import { type VoucherBatch, voucherBatchForm } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import { useCreateBatch } from '#features/vouchers/vouchers.api.ts';
import { useChoices } from '#lib/choices.ts';
import { useZoneOf } from '#lib/local-now.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { choices } from '#ui/choices.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LimitCard, limitProps } from '#ui/limit-card.tsx';
import type { Limit } from '#ui/limit-text.ts';
import { LocationField } from '#ui/location-field.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  location_id: string | null;
  name: string;
  profile_id: string | null;
  count: number | string;
  shared_user: number | string;
  valid_for: Limit<(typeof durationUnits)[number]>;
  valid_until: string;
  price: string;
  currency: string;
  note: string;
  at_desk: boolean;
}

/** `2.50` or `2,50` in minor units. A text that is no amount stays one, which the contract refuses. */
function minorOf(typed: string): number | string {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (!match) return typed.trim() === '' ? 0 : typed;
  const [, whole = '0', cents = ''] = match;
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

interface Props {
  /** The currency of the other batches. */
  usual: VoucherBatch['currency'] | undefined;
  onClose: () => void;
}

/** Makes a batch. Its terms stay as they are: guests keep what they were sold. */
export function BatchForm({ usual = 'eur', onClose }: Props) {
  const { t } = useTranslation('vouchers');
  const create = useCreateBatch();
  const form = useContractForm<typeof voucherBatchForm, Values>({
    schema: async () => voucherBatchForm,
    initial: {
      location_id: useWorkingLocation(),
      name: '',
      profile_id: null,
      count: 50,
      shared_user: 1,
      valid_for: { is_active: true, option: 'day', value: 1 },
      valid_until: '',
      price: '',
      currency: usual,
      note: '',
      at_desk: false,
    },
    toInput: values => ({
      ...values,
      count: values.count === '' ? 0 : values.count,
      price: minorOf(values.price),
      valid_until: values.valid_until || null,
    }),
    submit: async values => {
      await create.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  const { profiles } = useChoices(values.location_id);
  const timeZone = useZoneOf(values.location_id);
  return (
    <FormModal
      title={t('add')}
      form={form}
      size={580}
      submitLabel={t('make')}
      pending={create.isPending}
      onClose={onClose}
    >
      <LocationField {...getInputProps('location_id')} />
      <div className={layout.two}>
        <TextInput label={t('name')} withAsterisk data-autofocus autoComplete="off" {...getInputProps('name')} />
        <NumberField label={t('count')} {...getInputProps('count')} />
      </div>
      <div className={layout.two}>
        <Select
          label={t('profile')}
          placeholder={t('locationProfile')}
          data={choices(profiles)}
          clearable
          {...getInputProps('profile_id')}
        />
        <NumberField label={t('devices')} withAsterisk {...getInputProps('shared_user')} />
      </div>
      <LimitCard
        label={t('validFor')}
        units={durationUnits}
        {...limitProps(form.form, 'valid_for')}
        offLabel={t('untilLastDay')}
      />
      <DateField type="date" timeZone={timeZone} label={t('lastDay')} {...getInputProps('valid_until')} />
      <div className={layout.two}>
        <TextInput
          label={t('price')}
          placeholder={t('free')}
          inputMode="decimal"
          autoComplete="off"
          {...getInputProps('price')}
        />
        <div>
          <SegmentedControl
            mt={24}
            fullWidth
            aria-label={t('currency')}
            data={currencies.map(it => ({ value: it, label: it.toUpperCase() }))}
            {...getInputProps('currency')}
          />
        </div>
      </div>
      <Switch label={t('atDesk')} description={t('atDeskHelp')} {...getInputProps('at_desk', { type: 'checkbox' })} />
      <Textarea label={t('note')} autosize minRows={2} {...getInputProps('note')} />
    </FormModal>
  );
}
