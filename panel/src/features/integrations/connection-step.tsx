import { Button, Group, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core';
import { type PmsConnection, type PmsSlug, pmsConnection } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useTestConnection } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import layout from '#ui/form-layout.module.css';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

/** A column of the hotel's table, with a sample of what it holds. */
export interface Column {
  name: string;
  value: string | null;
}

interface Props {
  kind: { slug: PmsSlug; port: number; name: string };
  connection: PmsConnection | undefined;
  onBack: () => void;
  onConnected: (connection: PmsConnection, columns: readonly Column[]) => void;
}

/** Going on means that the connection has been tried and has answered. */
export function ConnectionStep({ kind, connection, onBack, onConnected }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const test = useTestConnection();
  const { form, element } = useContractForm({
    schema: async () => pmsConnection,
    initial: {
      db_host: connection?.db_host ?? '',
      db_port: connection?.db_port ?? kind.port,
      db_username: connection?.db_username ?? '',
      db_password: connection?.db_password ?? '',
      db_name: connection?.db_name ?? '',
      db_table: connection?.db_table ?? '',
      tls: connection?.tls ?? false,
    },
    toInput: values => ({ ...values, type: kind.slug }),
    submit: async values => onConnected(values, (await test.mutateAsync(values)).data),
  });
  const { getInputProps } = form;
  return (
    <form {...element}>
      <div className={modal.fields}>
        <p className={classes.help}>{t('connection.help', { kind: kind.name })}</p>
        <div className={classes.hostAndPort}>
          <TextInput
            label={t('connection.host')}
            placeholder="pms.example.com"
            withAsterisk
            autoComplete="off"
            data-autofocus
            {...getInputProps('db_host')}
          />
          <NumberInput
            label={t('connection.port')}
            withAsterisk
            min={1}
            max={65_535}
            allowDecimal={false}
            hideControls
            {...getInputProps('db_port')}
          />
        </div>
        <div className={layout.two}>
          <TextInput
            label={t('connection.username')}
            withAsterisk
            autoComplete="off"
            {...getInputProps('db_username')}
          />
          <PasswordInput
            label={t('connection.password')}
            withAsterisk
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('connection.showPassword'), tabIndex: 0 }}
            {...getInputProps('db_password')}
          />
          <TextInput label={t('connection.database')} withAsterisk autoComplete="off" {...getInputProps('db_name')} />
          <TextInput
            label={t('connection.table')}
            description={t('connection.tableHelp')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            withAsterisk
            autoComplete="off"
            {...getInputProps('db_table')}
          />
        </div>
        <Switch
          label={t('connection.tls')}
          description={t('connection.tlsHelp')}
          {...getInputProps('tls', { type: 'checkbox' })}
        />
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onBack} disabled={test.isPending}>
          {t('common:back')}
        </Button>
        <Button type="submit" loading={test.isPending}>
          {t('connection.test')}
        </Button>
      </Group>
    </form>
  );
}
