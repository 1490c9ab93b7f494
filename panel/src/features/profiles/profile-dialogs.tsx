import { Input, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { type Profile, paidDaysFrom, profileForm, profileUses } from '@portico/contract/profiles.ts';
import { currencies, dataUnits, durationUnits, speedUnits } from '@portico/contract/units.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { language } from '#lib/language.ts';
import { useChange } from '#lib/queries.ts';
import { choices } from '#ui/choices.ts';
import { Confirm } from '#ui/confirm.tsx';
import { ConfirmDelete } from '#ui/confirm-delete.tsx';
import layout from '#ui/form-layout.module.css';
import { FormModal } from '#ui/form-modal.tsx';
import { LimitCard, limitProps } from '#ui/limit-card.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** The list, and the location: it names its default profile. */
const refresh = [api.profiles.list, api.locations.get];

interface FormProps {
  locationId: string;
  profile: Profile | undefined;
  onClose: () => void;
}

/** The limits in the order of the form. */
const limits = [
  { key: 'session_duration', label: 'duration', units: durationUnits },
  { key: 'daily_duration', label: 'limit.daily_duration', units: durationUnits },
  { key: 'total_duration', label: 'limit.total_duration', units: durationUnits },
  { key: 'session_quota', label: 'limit.session_quota', units: dataUnits },
  { key: 'daily_quota', label: 'limit.daily_quota', units: dataUnits },
  { key: 'total_quota', label: 'limit.total_quota', units: dataUnits },
  { key: 'reduced_speed', label: 'limit.reduced_speed', units: speedUnits, off: 'limit.ends' },
  { key: 'max_download', label: 'download', units: speedUnits },
  { key: 'max_upload', label: 'upload', units: speedUnits },
  { key: 'paid_sale', label: 'priceLong', units: currencies, off: 'limit:free' },
] as const;

const fresh = {
  name: '',
  is_default: false,
  ...profileForm.omit({ location_id: true, name: true, is_default: true }).parse({}),
};

type Values = typeof fresh;

/** The fields of the form. A profile has more. */
const valuesOf = (it: Values): Values =>
  Object.fromEntries(Object.keys(fresh).map(key => [key, it[key as keyof Values]])) as Values;

export function ProfileForm({ locationId, profile, onClose }: FormProps) {
  const { t } = useTranslation(['profiles', 'common', 'limit']);
  const save = useChange({
    send: (body: z.input<typeof profileForm>) =>
      profile ? call(api.profiles.update, { params: { id: profile.id }, body }) : call(api.profiles.create, { body }),
    refresh,
    done: t(profile ? 'updated' : 'created'),
  });
  const form = useContractForm({
    schema: async () => profileForm,
    initial: { location_id: locationId, ...valuesOf(profile ?? fresh) },
    submit: async values => {
      await save.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  return (
    <FormModal title={t(profile ? 'edit' : 'add')} form={form} size={580} pending={save.isPending} onClose={onClose}>
      <div className={layout.two}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <NumberField label={t('sharedUser')} withAsterisk {...getInputProps('shared_user')} />
      </div>
      {limits.map(({ key, label, units, ...more }) => (
        <LimitCard
          key={key}
          label={t(label)}
          units={units}
          {...limitProps(form.form, key)}
          {...('off' in more && { offLabel: t(more.off) })}
        />
      ))}
      {values.paid_sale.is_active && (
        <Input.Wrapper label={t('paidFrom.label')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('paidFrom.label')}
            data={paidDaysFrom.map(from => ({ value: from, label: t(`paidFrom.${from}`) }))}
            {...getInputProps('paid_days_from')}
          />
        </Input.Wrapper>
      )}
      <Switch
        label={t('makeDefault')}
        description={t('makeDefaultHelp')}
        {...getInputProps('is_default', { type: 'checkbox' })}
      />
    </FormModal>
  );
}

interface DeleteProps {
  profile: Profile;
  /** Opens the form of a new profile: the location has no other that could replace this one. */
  onAdd: () => void;
  onClose: () => void;
}

/** A profile that is in use is deleted only when another one replaces it. */
export function ProfileDelete({ profile, onAdd, onClose }: DeleteProps) {
  const { t } = useTranslation(['profiles', 'common', 'limit']);
  const { id, name, location_id } = profile;
  const all = useQuery(queryOf(api.profiles.list, { query: { location_id, per_page: 999 } })).data?.data;
  const [replacement, setReplacement] = useState('');
  const remove = useChange({
    send: (replacement_id: string | undefined) =>
      call(api.profiles.delete, { params: { id }, query: { replacement_id } }),
    refresh,
    done: t('deleted'),
  });
  const confirm = (replacement_id?: string) => remove.mutate(replacement_id, { onSuccess: onClose });
  const users = profileUses(profile, language());
  if (!users)
    return <ConfirmDelete name={name} pending={remove.isPending} onConfirm={() => confirm()} onClose={onClose} />;

  const others = all?.filter(other => other.id !== id);
  const isOnly = others?.length === 0;
  const chosen = replacement || others?.[0]?.id;
  return (
    <Confirm
      opened
      title={t('inUseTitle', { name })}
      text={
        isOnly ? (
          t('onlyOne', { users })
        ) : (
          <>
            {t('inUse', { users })}
            <NativeSelect
              mt={16}
              label={t('replacement')}
              data={choices(others ?? [])}
              value={chosen}
              onChange={event => setReplacement(event.currentTarget.value)}
            />
          </>
        )
      }
      confirm={t(isOnly ? 'add' : 'replaceAndDelete')}
      cancel={t('common:cancel')}
      danger={!isOnly}
      pending={remove.isPending || !others}
      onConfirm={() => (isOnly ? onAdd() : confirm(chosen))}
      onClose={onClose}
    />
  );
}
