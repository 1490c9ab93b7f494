import { ActionIcon, Button, NativeSelect, Select, TextInput } from '@mantine/core';
import type { StayProfile } from '@portico/contract/integration-kinds.ts';
import { stayCodes } from '@portico/contract/integration-names.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/integrations/integrations.module.css';
import { useChoices } from '#lib/choices.ts';
import { choices } from '#ui/choices.ts';

interface Props {
  locationId: string;
  value: readonly StayProfile[];
  onChange: (value: readonly StayProfile[]) => void;
  /** The properties of the input of a field, such as `0.code`. */
  input: (name: string) => object;
}

/** The session profiles of hotel guests by their VIP or rate code. */
export function StayProfiles({ locationId, value, onChange, input }: Props) {
  const { t } = useTranslation('integrations');
  const { profiles } = useChoices(locationId);
  return (
    <div className={classes.codes}>
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id, and only their order tells them apart
        <div key={index} className={classes.code}>
          <NativeSelect
            aria-label={t('stays.by')}
            data={stayCodes.map(code => ({ value: code, label: t(`stays.codes.${code}`) }))}
            {...input(`${index}.by`)}
          />
          <TextInput aria-label={t('stays.code')} placeholder={t('stays.code')} {...input(`${index}.code`)} />
          <Select
            aria-label={t('stays.profile')}
            placeholder={t('stays.profile')}
            data={choices(profiles)}
            searchable
            {...input(`${index}.profile_id`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('stays.remove', { code: row.code })}
            onClick={() => onChange(value.filter((_, other) => other !== index))}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...value, { by: 'vip', code: '', profile_id: '' }])}
        >
          {t('stays.add')}
        </Button>
      </div>
    </div>
  );
}
