import { Select, Switch } from '@mantine/core';
import { durationUnits, speedUnits } from '@portico/contract/units.ts';
import type { VisitorRow } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import type { LimitValues } from '#features/visitors/visitor-values.ts';
import { useProfileChoices } from '#features/visitors/visitors.api.ts';
import { choices } from '#ui/choices.ts';
import { LimitCard, limitProps } from '#ui/limit-card.tsx';
import { useLimitText } from '#ui/limit-text.ts';
import { NumberField } from '#ui/number-field.tsx';
import type { FormPart } from '#ui/use-contract-form.ts';

interface Props {
  form: FormPart<LimitValues>;
  locationId: string | null;
  /** The current profile, which the list of the location may lack. */
  profile?: VisitorRow['profile'] | undefined;
}

/** The limits of a visitor: a session profile with paid days, or custom limits. */
export function LimitFields({ form, locationId, profile }: Props) {
  const { t } = useTranslation('visitors');
  const limitText = useLimitText();
  const { values, getInputProps } = form;
  const profiles = useProfileChoices(locationId);
  const paid = profiles.find(it => it.id === values.profile_id)?.paid_sale;
  return (
    <>
      <Select
        label={t('profile')}
        placeholder={t('locationProfile')}
        data={choices(profiles, profile)}
        clearable
        {...getInputProps('profile_id')}
      />
      {paid?.is_active && (
        <NumberField
          label={t('paidDays')}
          description={t('total', {
            amount: limitText({ ...paid, value: paid.value * (Number(values.total_paid_day) || 0) }),
          })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
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
          <NumberField label={t('sharedUser')} {...getInputProps('shared_user')} />
          <LimitCard label={t('duration')} units={durationUnits} {...limitProps(form, 'session_duration')} />
          <LimitCard label={t('download')} units={speedUnits} {...limitProps(form, 'max_download')} />
          <LimitCard label={t('upload')} units={speedUnits} {...limitProps(form, 'max_upload')} />
        </>
      )}
    </>
  );
}
