import { Select } from '@mantine/core';
import { optionalFields, requiredFields } from '@portico/contract/integration-names.ts';

import { useTranslation } from 'react-i18next';
import type { TestResult } from '#features/integrations/connection-test.tsx';
import type { MappedField } from '#features/integrations/guess-mapping.ts';
import classes from '#features/integrations/integrations.module.css';
import layout from '#ui/form-layout.module.css';

interface Props {
  columns: readonly TestResult[];
  values: { [F in MappedField]?: string | null | undefined };
  input: (name: string) => object;
}

/** Maps columns to fields, with sample values. */
export function MappingFields({ columns, values, input }: Props) {
  const { t } = useTranslation('integrations');
  const names = columns.map(({ name }) => name);
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
      {...input(field)}
    />
  );
  return (
    <>
      <div className={layout.two}>{requiredFields.map(field => select(field, true))}</div>
      <h3 className={classes.part}>{t('mapping.optional')}</h3>
      <div className={layout.two}>{optionalFields.map(field => select(field, false))}</div>
    </>
  );
}
