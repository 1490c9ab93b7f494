import { ActionIcon, Select, TextInput } from '@mantine/core';
import { oldestBirthYear } from '@portico/contract/visitors.ts';
import { IconDice5 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { generatePassword, type VisitorValues } from '#features/visitors/visitor-values.ts';
import { language } from '#lib/language.ts';
import layout from '#ui/form-layout.module.css';
import type { Form } from '#ui/use-contract-form.ts';

interface Props {
  form: Form<VisitorValues>;
  isNew: boolean;
}

/** The fields of the chosen sign-in method. */
export function SignInFields({ form, isNew }: Props) {
  const { t } = useTranslation('visitors');
  const { values, getInputProps, setFieldValue } = form;
  if (values.provider_type === 'username')
    return (
      <div className={layout.two}>
        <TextInput
          label={t('username')}
          withAsterisk
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...getInputProps('username')}
        />
        <TextInput
          label={t('password')}
          withAsterisk={isNew}
          placeholder={isNew ? undefined : t('passwordKept')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...getInputProps('password')}
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('makePassword')}
              title={t('makePassword')}
              onClick={() => setFieldValue('password', generatePassword())}
            >
              <IconDice5 size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          }
        />
      </div>
    );
  if (values.provider_type !== 'citizen-id' && values.provider_type !== 'room-number') return null;
  return (
    <>
      {values.provider_type === 'citizen-id' ? (
        <TextInput
          label={t('citizenId')}
          withAsterisk
          inputMode="numeric"
          maxLength={11}
          autoComplete="off"
          {...getInputProps('provider_id')}
        />
      ) : (
        <div className={layout.two}>
          <TextInput label={t('room')} withAsterisk autoComplete="off" {...getInputProps('room_number')} />
          <TextInput label={t('idNumber')} autoComplete="off" {...getInputProps('idNumber')} />
        </div>
      )}
      <BirthDate form={form} />
    </>
  );
}

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

function BirthDate({ form }: { form: Form<VisitorValues> }) {
  const { t } = useTranslation('visitors');
  const names = new Intl.DateTimeFormat(language(), { month: 'long', timeZone: 'UTC' });
  const months = count(1, 12).map(month => ({
    value: month,
    label: names.format(Date.UTC(2000, Number(month) - 1, 1)),
  }));
  const years = count(oldestBirthYear, new Date().getFullYear()).reverse();
  return (
    <div className={layout.three}>
      <Select label={t('birthDay')} withAsterisk data={count(1, 31)} searchable {...form.getInputProps('birth_day')} />
      <Select label={t('birthMonth')} withAsterisk data={months} searchable {...form.getInputProps('birth_month')} />
      <Select label={t('birthYear')} withAsterisk data={years} searchable {...form.getInputProps('birth_year')} />
    </div>
  );
}
