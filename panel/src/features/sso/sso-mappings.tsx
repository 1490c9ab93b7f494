import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SsoChoices } from '#features/sso/sso.api.ts';
import classes from '#features/sso/sso.module.css';
import { newMapping, type SsoValues } from '#features/sso/sso-values.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

const roles = ['member', 'tenant-admin', 'reseller', 'auditor'] as const;

interface Props {
  form: FormPart<SsoValues>;
  choices: SsoChoices;
  readOnly: boolean;
}

/** The choices of a select, with the current one even if it is not offered. */
const withCurrent = (list: readonly { id: string; name: string }[], current: string, other: string) => [
  ...list.map(it => ({ value: it.id, label: it.name })),
  ...(current && !list.some(it => it.id === current) ? [{ value: current, label: other }] : []),
];

/** The rights of the members of each group. */
export function SsoMappings({ form, choices, readOnly }: Props) {
  const { t } = useTranslation('sso');
  const { values, getInputProps, setFieldValue } = form;
  const set = (mappings: SsoValues['mappings']) => setFieldValue('mappings', mappings);
  return (
    <div className={classes.mappings}>
      {values.mappings.length === 0 && <p className={classes.proven}>{t('noMappings')}</p>}
      <ul>
        {values.mappings.map((mapping, i) => (
          <li key={mapping.key} className={classes.mapping}>
            <TextInput
              label={t('group')}
              placeholder="wifi-desk"
              autoCapitalize="none"
              spellCheck={false}
              {...getInputProps(`mappings.${i}.group`)}
            />
            <NativeSelect
              label={t('role')}
              data={roles.map(value => ({ value, label: t(`roles.${value}`) }))}
              {...getInputProps(`mappings.${i}.role`)}
            />
            {mapping.role === 'member' && (
              <>
                <NativeSelect
                  label={t('location')}
                  data={[
                    { value: '', label: t('choose') },
                    ...withCurrent(choices.locations, mapping.location_id, t('other')),
                  ]}
                  {...getInputProps(`mappings.${i}.location_id`)}
                />
                <NativeSelect
                  label={t('locationRole')}
                  data={[{ value: '', label: t('choose') }, ...withCurrent(choices.roles, mapping.role_id, t('other'))]}
                  {...getInputProps(`mappings.${i}.role_id`)}
                />
              </>
            )}
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                className={classes.drop ?? ''}
                aria-label={t('dropGroup', { group: mapping.group })}
                onClick={() => set(values.mappings.filter(it => it !== mapping))}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set([...values.mappings, newMapping()])}
        >
          {t('addGroup')}
        </Button>
      )}
    </div>
  );
}
