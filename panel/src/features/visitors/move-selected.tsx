import { Input, Select } from '@mantine/core';
import { moveSelectedForm } from '@portico/contract/visitor-selection.ts';
import type { ListedVisitor } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { useMoveSelected } from '#features/visitors/selected-visitors.api.ts';
import { useProfileChoices } from '#features/visitors/visitors.api.ts';
import { choices } from '#ui/choices.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useLocationChoices } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Values extends Record<string, unknown> {
  location_id: string | null;
  profile_id: string | null;
}

interface Props {
  visitors: readonly ListedVisitor[];
  onDone: () => void;
  onError: (error: unknown) => void;
  onClose: () => void;
}

/** Moves several visitors to a session profile, of their location or of another one. */
export function MoveSelected({ visitors, onDone, onError, onClose }: Props) {
  const { t } = useTranslation(['visitors', 'visitor', 'common']);
  const move = useMoveSelected();
  const locations = useLocationChoices();
  const [first] = visitors;
  const together = visitors.every(it => it.location_id === first?.location_id);
  const same = together && visitors.every(it => it.profile_id === first?.profile_id);
  const form = useContractForm<typeof moveSelectedForm, Values>({
    schema: async () => moveSelectedForm,
    initial: {
      location_id: (together && first?.location_id) || null,
      profile_id: (same && first?.profile_id) || null,
    },
    toInput: values => ({ ...values, ids: visitors.map(it => it.id) }),
    submit: async values => {
      await move.mutateAsync(values, { onError });
      onDone();
    },
  });
  const { values, errors, getInputProps, setValues } = form.form;
  const profiles = useProfileChoices(values.location_id);
  const stay = visitors.every(it => it.location_id === values.location_id);
  return (
    <FormModal
      title={t('selected.moveTitle', { count: visitors.length })}
      form={form}
      submitLabel={t('selected.move')}
      pending={move.isPending}
      size={440}
      onClose={onClose}
    >
      <p>
        {t(stay ? 'visitor:moveProfile' : 'selected.moveAway')} {t('selected.moveUnpaid')}
      </p>
      {errors['ids'] && <Input.Error role="alert">{errors['ids']}</Input.Error>}
      <Select
        label={t('common:location')}
        {...locations}
        withAsterisk
        allowDeselect={false}
        {...getInputProps('location_id')}
        // A profile belongs to its location.
        onChange={location_id => setValues({ location_id, profile_id: null })}
      />
      <Select
        label={t('profile')}
        placeholder={t('locationProfile')}
        data={choices(profiles, stay && same ? first?.profile : null)}
        clearable
        {...getInputProps('profile_id')}
      />
    </FormModal>
  );
}
