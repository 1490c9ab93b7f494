import { NumberInput, Switch, TextInput } from '@mantine/core';
import { type Profile, profileForm } from '@portico/contract/profiles.ts';
import { currencies, durationUnits, speedUnits } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '#features/profiles/profiles.api.ts';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LimitCard } from '#ui/limit-card.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  locationId: string;
  profile: Profile | undefined;
  onClose: () => void;
}

const fresh = {
  name: '',
  is_default: false,
  ...profileForm.omit({ location_id: true, name: true, is_default: true }).parse({}),
};

export function ProfileForm({ locationId, profile, onClose }: Props) {
  const { t } = useTranslation(['profiles', 'common']);
  const save = useSaveProfile(profile);
  const { name, shared_user, session_duration, max_upload, max_download, paid_sale, is_default } = profile ?? fresh;
  const form = useContractForm({
    schema: async () => profileForm,
    initial: {
      location_id: locationId,
      name,
      shared_user,
      session_duration,
      max_upload,
      max_download,
      paid_sale,
      is_default,
    },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, errors, setFieldValue, getInputProps } = form.form;
  return (
    <FormModal title={t(profile ? 'edit' : 'add')} form={form} size={580} pending={save.isPending} onClose={onClose}>
      <div className={layout.two}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <NumberInput
          label={t('sharedUser')}
          withAsterisk
          min={1}
          max={1000}
          allowDecimal={false}
          {...getInputProps('shared_user')}
        />
      </div>
      <LimitCard
        label={t('duration')}
        units={durationUnits}
        value={values.session_duration}
        onChange={limit => setFieldValue('session_duration', limit)}
        error={errors['session_duration.value'] as string | undefined}
      />
      <LimitCard
        label={t('download')}
        units={speedUnits}
        value={values.max_download}
        onChange={limit => setFieldValue('max_download', limit)}
        error={errors['max_download.value'] as string | undefined}
      />
      <LimitCard
        label={t('upload')}
        units={speedUnits}
        value={values.max_upload}
        onChange={limit => setFieldValue('max_upload', limit)}
        error={errors['max_upload.value'] as string | undefined}
      />
      <LimitCard
        label={t('priceLong')}
        units={currencies}
        value={values.paid_sale}
        onChange={limit => setFieldValue('paid_sale', limit)}
        error={errors['paid_sale.value'] as string | undefined}
        offLabel={t('common:limit.free')}
      />
      <Switch
        label={t('makeDefault')}
        description={t('makeDefaultHelp')}
        {...getInputProps('is_default', { type: 'checkbox' })}
      />
    </FormModal>
  );
}
