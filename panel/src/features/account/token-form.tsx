import { Button, Checkbox, Group, Modal, Select, TextInput } from '@mantine/core';
import { type Permission, permissions } from '@portico/contract/permissions.ts';
import { personalTokenForm } from '@portico/contract/tokens.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateToken } from '#features/account/account.api.ts';
import classes from '#features/account/account.module.css';
import { useCan } from '#lib/permissions.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import { Facts } from '#ui/facts.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import { useLocationChoices } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

type ScopeOf<P> = P extends `${'view' | 'store' | 'update' | 'delete'}-${infer S}` ? S : never;

/** A key of the permissions as its verb and its scope. */
function partsOf(key: Permission) {
  const at = key.indexOf('-');
  return {
    verb: key.slice(0, at) as 'view' | 'store' | 'update' | 'delete',
    scope: key.slice(at + 1) as ScopeOf<Permission>,
  };
}

/** Creates a token and shows it once. */
export function TokenForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const can = useCan();
  const create = useCreateToken();
  const locations = useLocationChoices();
  const [made, setMade] = useState('');
  const form = useContractForm({
    schema: async () => personalTokenForm,
    initial: { name: '', permissions: [] as string[], location_id: useWorkingLocation(), days: 90 },
    submit: async values => setMade((await create.mutateAsync(values)).data.token),
  });
  const { getInputProps } = form.form;
  if (made)
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('tokens.madeTitle')}
        size={520}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        classNames={modal}
      >
        <p className={modal.text}>{t('tokens.madeText')}</p>
        <Facts facts={[{ label: t('tokens.token'), value: made, copy: made, code: true }]} />
        <Group justify="flex-end" mt={20}>
          <Button onClick={onClose} data-autofocus>
            {t('tokens.done')}
          </Button>
        </Group>
      </Modal>
    );
  return (
    <FormModal title={t('tokens.add')} form={form} pending={create.isPending} size={560} onClose={onClose}>
      <TextInput
        label={t('tokens.name')}
        placeholder={t('tokens.namePlaceholder')}
        withAsterisk
        autoComplete="off"
        data-autofocus
        {...getInputProps('name')}
      />
      <Select
        label={t('tokens.location')}
        placeholder={t('tokens.everywhere')}
        clearable
        {...locations}
        {...getInputProps('location_id')}
      />
      <NumberField label={t('tokens.days')} withAsterisk {...getInputProps('days')} />
      <Checkbox.Group label={t('tokens.permissions')} withAsterisk {...getInputProps('permissions')}>
        <div className={classes.tokenRights}>
          {permissions
            .filter(key => can(key))
            .map(key => {
              const { verb, scope } = partsOf(key);
              return (
                <Checkbox key={key} value={key} label={`${t(`tokens.scope.${scope}`)}: ${t(`tokens.verb.${verb}`)}`} />
              );
            })}
        </div>
      </Checkbox.Group>
    </FormModal>
  );
}
