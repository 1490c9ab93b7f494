import { TextInput } from '@mantine/core';
import { currencies, durationUnits, speedUnits } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/onboarding/onboarding.module.css';
import type { FirstDevice } from '#features/onboarding/use-first-device.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { LimitCard } from '#ui/limit-card.tsx';
import { NumberField } from '#ui/number-field.tsx';

/** The limits of the device's guests: the location's default profile. */
export function ProfileFields({ form }: { form: FirstDevice['form'] }) {
  const { t } = useTranslation(['onboarding', 'profiles', 'limit']);
  const { values, errors, setFieldValue, getInputProps } = form;
  const { session_duration, max_download, max_upload, paid_sale } = values.user_profile;
  const wrong = (part: string) => errors[`user_profile.${part}.value`] as string | undefined;
  return (
    <Card title={t('profile.title')} description={t('profile.text')}>
      <div className={layout.two}>
        <TextInput label={t('profile.name')} withAsterisk {...getInputProps('user_profile.name')} />
        <NumberField label={t('profiles:sharedUser')} withAsterisk {...getInputProps('user_profile.shared_user')} />
      </div>
      <div className={classes.limits}>
        <LimitCard
          label={t('profiles:duration')}
          units={durationUnits}
          value={session_duration}
          onChange={limit => setFieldValue('user_profile.session_duration', limit)}
          error={wrong('session_duration')}
        />
        <LimitCard
          label={t('profiles:download')}
          units={speedUnits}
          value={max_download}
          onChange={limit => setFieldValue('user_profile.max_download', limit)}
          error={wrong('max_download')}
        />
        <LimitCard
          label={t('profiles:upload')}
          units={speedUnits}
          value={max_upload}
          onChange={limit => setFieldValue('user_profile.max_upload', limit)}
          error={wrong('max_upload')}
        />
        <LimitCard
          label={t('profiles:priceLong')}
          units={currencies}
          value={paid_sale}
          onChange={limit => setFieldValue('user_profile.paid_sale', limit)}
          error={wrong('paid_sale')}
          offLabel={t('limit:free')}
        />
      </div>
    </Card>
  );
}
