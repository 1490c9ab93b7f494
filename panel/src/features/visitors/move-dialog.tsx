import { Select } from '@mantine/core';
import { moveForm } from '@portico/contract/visitor-changes.ts';
import type { Visitor } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { useMove } from '#features/visitors/visitor-page.api.ts';
import { useProfileChoices } from '#features/visitors/visitors.api.ts';
import { choices } from '#ui/choices.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useLocationChoices } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  location_id: string | null;
  profile_id: string | null;
}

/** Moves a visitor to another session profile or location. */
export function MoveDialog({ visitor, onClose }: { visitor: Visitor; onClose: () => void }) {
  const { t } = useTranslation(['visitor', 'visitors', 'common']);
  const move = useMove(visitor.id);
  const locations = useLocationChoices();
  const form = useContractForm<typeof moveForm, Values>({
    schema: async () => moveForm,
    initial: { location_id: visitor.location_id, profile_id: visitor.profile_id },
    submit: async values => {
      await move.mutateAsync(values);
      onClose();
    },
  });
  const { values, getInputProps, setValues } = form.form;
  const stays = values.location_id === visitor.location_id;
  const profiles = useProfileChoices(values.location_id);
  return (
    <FormModal
      title={t('moveTitle', { name: visitor.name })}
      form={form}
      submitLabel={t('move')}
      pending={move.isPending}
      size={440}
      onClose={onClose}
    >
      <p>{t(stays ? 'moveProfile' : 'moveAway')}</p>
      <Select
        label={t('common:location')}
        {...locations}
        allowDeselect={false}
        {...getInputProps('location_id')}
        // A profile belongs to its location.
        onChange={location_id => setValues({ location_id, profile_id: null })}
      />
      <Select
        label={t('visitors:profile')}
        placeholder={t('visitors:locationProfile')}
        data={choices(profiles, stays ? visitor.profile : null)}
        clearable
        {...getInputProps('profile_id')}
      />
    </FormModal>
  );
}
