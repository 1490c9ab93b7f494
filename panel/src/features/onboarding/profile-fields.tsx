import { TextInput } from '@mantine/core';
import { currencies, durationUnits, speedUnits } from '@portico/contract/units.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/onboarding/onboarding.module.css';
import type { FirstDevice } from '#features/onboarding/use-first-device.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { LimitCard, limitProps } from '#ui/limit-card.tsx';
import { NumberField } from '#ui/number-field.tsx';

/** The limits of the device's guests: the location's default profile. */
export function ProfileFields({ form }: { form: FirstDevice['form'] }) {
  const { t } = useTranslation(['onboarding', 'profiles', 'limit']);
  const { getInputProps } = form;
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
          {...limitProps(form, 'user_profile.session_duration')}
        />
        <LimitCard
          label={t('profiles:download')}
          units={speedUnits}
          {...limitProps(form, 'user_profile.max_download')}
        />
        <LimitCard label={t('profiles:upload')} units={speedUnits} {...limitProps(form, 'user_profile.max_upload')} />
        <LimitCard
          label={t('profiles:priceLong')}
          units={currencies}
          {...limitProps(form, 'user_profile.paid_sale')}
          offLabel={t('limit:free')}
        />
      </div>
    </Card>
  );
}
