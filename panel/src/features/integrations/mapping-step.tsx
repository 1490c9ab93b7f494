import { Button, Group } from '@mantine/core';
import { requiredFields } from '@portico/contract/integration-names.ts';
import { type FieldMapping, fieldMapping } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import type { TestResult } from '#features/integrations/connection-test.tsx';
import { guessMapping } from '#features/integrations/guess-mapping.ts';
import classes from '#features/integrations/integrations.module.css';
import { MappingFields } from '#features/integrations/mapping-fields.tsx';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  columns: readonly TestResult[];
  fields: FieldMapping | undefined;
  onBack: () => void;
  onNext: (fields: FieldMapping) => void;
}

/** Maps columns to fields. Columns with the usual names are preselected. */
export function MappingStep({ columns, fields, onBack, onNext }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const names = columns.map(({ name }) => name);
  const { form, element } = useContractForm({
    schema: async () => fieldMapping,
    initial: guessMapping(names, fields),
    submit: async values => onNext(values),
  });
  const { values, getInputProps } = form;
  return (
    <form {...element}>
      <div className={modal.fields}>
        <p className={classes.help}>{t('mapping.help', { count: columns.length })}</p>
        <MappingFields columns={columns} values={values} input={name => getInputProps(name)} />
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
