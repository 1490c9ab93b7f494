import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { durationUnits, speedUnits } from '@portico/contract/units.ts';
import { type Visitor, visitorForm, visitorProviders, visitorUpdate } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { SignInFields } from '#features/visitors/sign-in-fields.tsx';
import { freshVisitor, type VisitorValues, visitorInput, visitorValues } from '#features/visitors/visitor-values.ts';
import { useProfileChoices, useSaveVisitor } from '#features/visitors/visitors.api.ts';
import { choices } from '#ui/choices.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LimitCard } from '#ui/limit-card.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import { LocationField, useWorkingLocation } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function VisitorForm({ visitor, onClose }: { visitor: Visitor | undefined; onClose: () => void }) {
  const { t } = useTranslation(['visitors', 'common']);
  const limitText = useLimitText();
  const working = useWorkingLocation();
  const save = useSaveVisitor(visitor);
  const form = useContractForm<typeof visitorForm | typeof visitorUpdate, VisitorValues>({
    schema: async () => (visitor ? visitorUpdate : visitorForm),
    initial: visitor ? visitorValues(visitor) : freshVisitor(working),
    toInput: visitorInput,
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, errors, setFieldValue, getInputProps } = form.form;
  const profiles = useProfileChoices(visitor?.location_id ?? values.location_id);
  const paid = profiles.find(profile => profile.id === values.profile_id)?.paid_sale;
  // A visitor that made itself on the portal keeps its method.
  const methods: readonly string[] = visitor
    ? [...new Set([...visitorProviders, visitor.provider_type])]
    : visitorProviders;
  const problem = (field: string) => errors[`${field}.value`] as string | undefined;

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
        <TextInput type="datetime-local" label={t('from')} {...getInputProps('session_start_at')} />
        <TextInput type="datetime-local" label={t('until')} {...getInputProps('session_end_at')} />
      </div>
      <Select
        label={t('profile')}
        placeholder={t('locationProfile')}
        data={choices(profiles, visitor?.profile)}
        clearable
        {...getInputProps('profile_id')}
      />
      {paid?.is_active && (
        <NumberInput
          label={t('paidDays')}
          description={t('total', {
            amount: limitText({ ...paid, value: paid.value * Number(values.total_paid_day || 0) }),
          })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={3650}
          allowDecimal={false}
          {...getInputProps('total_paid_day')}
        />
      )}
      <Switch
        label={t('special')}
        description={t('specialHelp')}
        {...getInputProps('special_profile', { type: 'checkbox' })}
      />
      {values.special_profile && (
        <>
          <NumberInput
            label={t('sharedUser')}
            min={1}
            max={1000}
            allowDecimal={false}
            {...getInputProps('shared_user')}
          />
          <LimitCard
            label={t('duration')}
            units={durationUnits}
            value={values.session_duration}
            onChange={limit => setFieldValue('session_duration', limit)}
            error={problem('session_duration')}
          />
          <LimitCard
            label={t('download')}
            units={speedUnits}
            value={values.max_download}
            onChange={limit => setFieldValue('max_download', limit)}
            error={problem('max_download')}
          />
          <LimitCard
            label={t('upload')}
            units={speedUnits}
            value={values.max_upload}
            onChange={limit => setFieldValue('max_upload', limit)}
            error={problem('max_upload')}
          />
        </>
      )}
    </FormModal>
  );
}
