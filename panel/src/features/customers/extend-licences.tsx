import { SegmentedControl } from '@mantine/core';
import type { CustomerState } from '@portico/contract/customers.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExtendCustomers } from '#features/customers/customers.api.ts';
import classes from '#features/customers/customers.module.css';
import { currentEnd } from '#lib/current-end.ts';
import { formatDate } from '#lib/format.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { Notice } from '#ui/notice.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  customers: ReadonlyMap<string, CustomerState>;
  onDone: () => void;
  onError: (error: unknown) => void;
  onClose: () => void;
}

const named = 5;
const fieldOf = (id: string) => `expected_end_at.${id}`;

/** Lists the customers before their licences are extended. */
export function ExtendLicences({ customers, onDone, onError, onClose }: Props) {
  const { t } = useTranslation('customers');
  const extend = useExtendCustomers();
  /** The ends of licences that were changed since the customers were selected. */
  const [moved, setMoved] = useState<ReadonlyMap<string, string | null>>(new Map());
  const ends = [...customers].map(
    ([id, it]) => [id, moved.has(id) ? (moved.get(id) ?? null) : it.license_end_at] as const,
  );
  const form = useContractForm({
    schema: async () => (await import('@portico/contract/customers.ts')).extendForm,
    initial: { year: '1' },
    toInput: values => ({ ...values, ids: [...customers.keys()], expected_end_at: Object.fromEntries(ends) }),
    submit: async values => {
      try {
        await extend.mutateAsync(values);
      } catch (error) {
        const next = new Map(moved);
        for (const id of customers.keys()) {
          const now = currentEnd(error, fieldOf(id));
          if (now !== undefined) next.set(id, now);
        }
        setMoved(next);
        onError(error);
        throw error;
      }
      onClose();
      onDone();
    },
  });
  const changed = [...customers.values()].filter(it => moved.has(it.id));
  const others = [...customers.values()].filter(it => !moved.has(it.id)).slice(0, named);
  const more = customers.size - changed.length - others.length;
  return (
    <FormModal
      title={t('extend.title', { count: customers.size })}
      form={form}
      submitLabel={t('extend.button')}
      pending={extend.isPending}
      size={460}
      onClose={onClose}
    >
      <p className={classes.plain}>{t('extend.text')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('extend.term')}
        data={['1', '2', '3'].map(value => ({ value, label: t('extend.years', { count: Number(value) }) }))}
        {...form.form.getInputProps('year')}
      />
      {changed.length > 0 && (
        <Notice tone="warn" title={t('extend.changed')}>
          {t('extend.changedText')}
        </Notice>
      )}
      <ul className={classes.names}>
        {changed.map(({ id, name, time_zone }) => {
          const end = moved.get(id);
          return <li key={id}>{t('extend.now', { name, date: end ? formatDate(end, time_zone) : '–' })}</li>;
        })}
        {others.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {more > 0 && <li>{t('extend.more', { count: more })}</li>}
      </ul>
    </FormModal>
  );
}
