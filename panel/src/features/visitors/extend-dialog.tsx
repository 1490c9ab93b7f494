import { SegmentedControl, Switch } from '@mantine/core';
import { extendForm } from '@portico/contract/visitor-changes.ts';
import type { Visitor } from '@portico/contract/visitors.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExtend } from '#features/visitors/visitor-page.api.ts';
import { useProfileChoices } from '#features/visitors/visitors.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatDateTime } from '#lib/format.ts';
import { DateField } from '#ui/date-field.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  by: 'days' | 'until';
  days: number | string;
  until: string;
  charge_room: boolean;
}

/** Extends the access of a visitor by days or until a date. */
export function ExtendDialog({ visitor, onClose }: { visitor: Visitor; onClose: () => void }) {
  const { t } = useTranslation(['visitor', 'visitors']);
  const limitText = useLimitText();
  const extend = useExtend(visitor.id);
  const paid = useProfileChoices(visitor.location_id).find(it => it.id === visitor.profile_id)?.paid_sale;
  const sold = paid?.is_active ? paid : undefined;
  /** Days are paid for, and begin with the first sign-in. */
  const waiting = visitor.total_paid_day > 0 && !visitor.session_end_at;
  /** The values that the dialog shows; after a conflict, the stored ones. */
  const [seen, see] = useState({ end: visitor.session_end_at, days: visitor.total_paid_day });
  const form = useContractForm<typeof extendForm, Values>({
    schema: async () => extendForm,
    initial: { by: visitor.session_end_at || waiting ? 'days' : 'until', days: 1, until: '', charge_room: false },
    toInput: ({ by, days, until, charge_room }) => ({
      ...(by === 'days' ? { days: days === '' ? null : days } : { until: until || undefined }),
      ...(by === 'days' && charge_room && { charge_room }),
      expected_end_at: seen.end,
      expected_paid_day: seen.days,
    }),
    submit: async values => {
      try {
        await extend.mutateAsync(values);
        onClose();
      } catch (error) {
        if (!(error instanceof ApiError) || !error.current) throw error;
        const { expected_end_at: end = seen.end, expected_paid_day: days = seen.days } = error.current;
        see({ end: end === null ? null : String(end), days: Number(days) });
      }
    },
  });
  const { values, errors, getInputProps } = form.form;
  const price =
    sold && t('visitors:total', { amount: limitText({ ...sold, value: sold.value * (Number(values.days) || 0) }) });
  return (
    <FormModal
      title={t('extendTitle', { name: visitor.name })}
      form={form}
      submitLabel={t('extend')}
      pending={extend.isPending}
      size={440}
      onClose={onClose}
    >
      <p>
        {seen.end
          ? t('endsAt', { time: formatDateTime(seen.end, visitor.location.time_zone) })
          : t(waiting ? 'daysWait' : 'noEnd')}
        {sold && ` ${t('paidSoFar', { count: seen.days })}`}
      </p>
      <SegmentedControl
        fullWidth
        aria-label={t('extendBy')}
        data={[
          { value: 'days', label: t('byDays') },
          { value: 'until', label: t('byDate') },
        ]}
        {...getInputProps('by')}
      />
      {values.by === 'days' ? (
        <NumberField
          label={t('days')}
          description={price}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          data-autofocus
          {...getInputProps('days')}
        />
      ) : (
        <DateField
          type="datetime-local"
          timeZone={visitor.location.time_zone}
          label={t('visitors:until')}
          withAsterisk
          {...getInputProps('until')}
          error={errors['until'] ?? errors['days']}
        />
      )}
      {values.by === 'days' && sold && visitor.charges_room && (
        <Switch
          label={t('chargeRoom', { room: visitor.room_number ?? '' })}
          {...getInputProps('charge_room', { type: 'checkbox' })}
        />
      )}
    </FormModal>
  );
}
