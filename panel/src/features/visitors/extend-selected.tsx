import { SegmentedControl } from '@mantine/core';
import type { ListedVisitor } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { useExtendSelected } from '#features/visitors/selected-visitors.api.ts';
import { DateField } from '#ui/date-field.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  visitors: readonly ListedVisitor[];
  onDone: () => void;
  onError: (error: unknown) => void;
  onClose: () => void;
}

/** Extends the access of several visitors by days or until a date. */
export function ExtendSelected({ visitors, onDone, onError, onClose }: Props) {
  const { t } = useTranslation(['visitors', 'visitor']);
  const extend = useExtendSelected();
  const endless = visitors.filter(it => it.session_end_at === null).length;
  const form = useContractForm({
    schema: async () => (await import('@portico/contract/visitor-selection.ts')).extendSelectedForm,
    initial: { by: endless === visitors.length ? 'until' : 'days', days: 1 as number | string, until: '' },
    toInput: ({ by, days, until }) => ({
      ids: visitors.map(it => it.id),
      ...(by === 'days' ? { days: days === '' ? null : days } : { until: until || undefined }),
      expected_end_at: Object.fromEntries(visitors.map(it => [it.id, it.session_end_at])),
    }),
    submit: async values => {
      await extend.mutateAsync(values, { onError });
      onDone();
    },
  });
  const { values, errors, getInputProps } = form.form;
  return (
    <FormModal
      title={t('selected.extendTitle', { count: visitors.length })}
      form={form}
      submitLabel={t('selected.extend')}
      pending={extend.isPending}
      size={440}
      onClose={onClose}
    >
      {values.by === 'days' && (
        <p>{endless > 0 ? t('selected.extendEndless', { count: endless }) : t('selected.extendText')}</p>
      )}
      <SegmentedControl
        fullWidth
        aria-label={t('visitor:extendBy')}
        data={[
          { value: 'days', label: t('visitor:byDays') },
          { value: 'until', label: t('visitor:byDate') },
        ]}
        {...getInputProps('by')}
      />
      {values.by === 'days' ? (
        <NumberField label={t('visitor:days')} withAsterisk data-autofocus {...getInputProps('days')} />
      ) : (
        <DateField
          type="datetime-local"
          label={t('until')}
          withAsterisk
          {...getInputProps('until')}
          error={errors['until'] ?? errors['days']}
        />
      )}
    </FormModal>
  );
}
