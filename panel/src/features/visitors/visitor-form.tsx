import { Select, TextInput } from '@mantine/core';
import { type Visitor, visitorForm, visitorProviders, visitorUpdate } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { LimitFields } from '#features/visitors/limit-fields.tsx';
import { SignInFields } from '#features/visitors/sign-in-fields.tsx';
import { emptyVisitor, type VisitorValues, visitorInput, visitorValues } from '#features/visitors/visitor-values.ts';
import { useSaveVisitor } from '#features/visitors/visitors.api.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function VisitorForm({ visitor, onClose }: { visitor: Visitor | undefined; onClose: () => void }) {
  const { t } = useTranslation(['visitors', 'common']);
  const working = useWorkingLocation();
  const save = useSaveVisitor(visitor);
  const form = useContractForm<typeof visitorForm | typeof visitorUpdate, VisitorValues>({
    schema: async () => (visitor ? visitorUpdate : visitorForm),
    initial: visitor ? visitorValues(visitor) : emptyVisitor(working),
    toInput: visitorInput,
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  // A visitor created by a portal sign-in keeps its method.
  const methods: readonly string[] = visitor
    ? [...new Set([...visitorProviders, visitor.provider_type])]
    : visitorProviders;

  return (
    <FormModal title={t(visitor ? 'edit' : 'add')} form={form} size={580} pending={save.isPending} onClose={onClose}>
      {!visitor && <LocationField {...getInputProps('location_id')} />}
      <div className={layout.two}>
        <TextInput label={t('name')} withAsterisk autoComplete="off" data-autofocus {...getInputProps('name')} />
        <Select
          label={t('method')}
          data={methods.map(slug => ({ value: slug, label: t(`provider.${slug as Visitor['provider_type']}`) }))}
          allowDeselect={false}
          {...getInputProps('provider_type')}
        />
      </div>
      <SignInFields form={form.form} isNew={!visitor} />
      <div className={layout.two}>
        <TextInput type="email" label={t('email')} autoComplete="off" {...getInputProps('email')} />
        <TextInput type="tel" label={t('phone')} autoComplete="off" {...getInputProps('phone')} />
      </div>
      <div className={layout.two}>
        <DateField type="datetime-local" label={t('from')} {...getInputProps('session_start_at')} />
        <DateField type="datetime-local" label={t('until')} {...getInputProps('session_end_at')} />
      </div>
      <LimitFields
        form={form.form}
        locationId={visitor?.location_id ?? values.location_id}
        profile={visitor?.profile}
      />
    </FormModal>
  );
}
