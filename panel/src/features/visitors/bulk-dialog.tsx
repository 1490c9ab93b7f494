import { TextInput } from '@mantine/core';
import { bulkForm, type Credentials } from '@portico/contract/visitors.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LimitFields } from '#features/visitors/limit-fields.tsx';
import { type BulkValues, bulkInput, emptyBulk } from '#features/visitors/visitor-values.ts';
import { useCreateVisitors } from '#features/visitors/visitors.api.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useWorkingLocation } from '#lib/working-location.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const CardsDialog = lazyPart(() => import('#features/visitors/cards-dialog.tsx'), 'CardsDialog');

/** Creates visitors in bulk, then shows their cards: the passwords are available only this once. */
export function BulkDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('visitors');
  const working = useWorkingLocation();
  const make = useCreateVisitors();
  const [made, setMade] = useState<{
    people: readonly Credentials[];
    until: string | null;
    locationId: string | null;
  }>();
  const form = useContractForm<typeof bulkForm, BulkValues>({
    schema: async () => bulkForm,
    initial: emptyBulk(working),
    toInput: bulkInput,
    submit: async values => {
      const { data } = await make.mutateAsync(values);
      setMade({ people: data, until: values.session_end_at ?? null, locationId: values.location_id ?? null });
    },
  });
  const { values, getInputProps } = form.form;
  if (made) return <CardsDialog {...made} onClose={onClose} />;
  return (
    <FormModal
      title={t('bulk.title')}
      form={form}
      size={580}
      submitLabel={t('bulk.make')}
      pending={make.isPending}
      onClose={onClose}
    >
      <LocationField {...getInputProps('location_id')} />
      <NumberField label={t('bulk.count')} withAsterisk data-autofocus {...getInputProps('total_user')} />
      <div className={layout.two}>
        <TextInput
          label={t('bulk.name')}
          withAsterisk
          description={t('bulk.nameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          {...getInputProps('name')}
        />
        <TextInput
          label={t('bulk.prefix')}
          description={t('bulk.prefixHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...getInputProps('username')}
        />
      </div>
      <div className={layout.two}>
        <DateField type="datetime-local" label={t('from')} {...getInputProps('session_start_at')} />
        <DateField type="datetime-local" label={t('until')} {...getInputProps('session_end_at')} />
      </div>
      <LimitFields form={form.form} locationId={values.location_id} />
    </FormModal>
  );
}
