import { Button, Group, Select } from '@mantine/core';
import { type FieldMapping, fieldMapping, optionalFields, requiredFields } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import type { Column } from '#features/integrations/connection-step.tsx';
import { guessMapping, type MappedField } from '#features/integrations/guess-mapping.ts';
import classes from '#features/integrations/integrations.module.css';
import layout from '#ui/form-layout.module.css';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  columns: readonly Column[];
  fields: FieldMapping | undefined;
  onBack: () => void;
  onNext: (fields: FieldMapping) => void;
}

/** Which column holds what. Columns that are named as one would expect are chosen already. */
export function MappingStep({ columns, fields, onBack, onNext }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const names = columns.map(({ name }) => name);
  const { form, element } = useContractForm({
    schema: async () => fieldMapping,
    initial: guessMapping(names, fields),
    submit: async values => onNext(values),
  });
  const { values, getInputProps } = form;
  const sample = (field: MappedField) => columns.find(({ name }) => name === values[field])?.value;
  const select = (field: MappedField, required: boolean) => (
    <Select
      key={field}
      label={t(`field.${field}`)}
      description={sample(field) ? t('mapping.sample', { value: sample(field) }) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={t('mapping.choose')}
      data={names}
      searchable
      clearable={!required}
      withAsterisk={required}
      {...getInputProps(field)}
    />
  );
  return (
    <form {...element}>
      <div className={modal.fields}>
        <p className={classes.help}>{t('mapping.help', { count: columns.length })}</p>
        <div className={layout.two}>{requiredFields.map(field => select(field, true))}</div>
        <h3 className={classes.part}>{t('mapping.optional')}</h3>
        <div className={layout.two}>{optionalFields.map(field => select(field, false))}</div>
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onBack}>
          {t('common:back')}
        </Button>
        <Button type="submit" disabled={requiredFields.some(field => !values[field])}>
          {t('common:next')}
        </Button>
      </Group>
    </form>
  );
}
