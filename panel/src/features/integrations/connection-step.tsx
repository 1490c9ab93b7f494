import { Button, Group } from '@mantine/core';
import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { IntegrationKind } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { ConnectionFields } from '#features/integrations/connection-fields.tsx';
import { ConnectionTest, type TestResult } from '#features/integrations/connection-test.tsx';
import { connectionValues } from '#features/integrations/connection-values.ts';
import { useTestConnection } from '#features/integrations/integrations.api.ts';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  kind: IntegrationKind;
  connection: IntegrationConnection | undefined;
  onBack: () => void;
  onConnected: (connection: IntegrationConnection, columns: readonly TestResult[]) => void;
}

/** These types can continue without a test: a message costs money, and a URL may not be reachable yet. */
const provenFirst = (kind: IntegrationKind) =>
  kind.type === 'pms' || kind.type === 'email' || kind.type === 'social' || kind.type === 'payment';

export function ConnectionStep({ kind, connection, onBack, onConnected }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const test = useTestConnection();
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/integration-kinds.ts')).integrationConnection,
    initial: connectionValues(kind.slug, kind.port, connection),
    submit: async values => onConnected(values, provenFirst(kind) ? (await test.mutateAsync(values)).data : []),
  });
  return (
    <form {...element}>
      <div className={modal.fields}>
        <ConnectionFields kind={kind} input={(name, options) => form.getInputProps(name, options)} />
        {kind.type !== 'pms' && (
          <ConnectionTest
            kind={kind.slug}
            onTry={async to => (await test.mutateAsync({ ...(form.values as IntegrationConnection), to })).data}
          />
        )}
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onBack} disabled={test.isPending}>
          {t('common:back')}
        </Button>
        <Button type="submit" loading={test.isPending}>
          {kind.type === 'pms' ? t('connection.test') : t('common:next')}
        </Button>
      </Group>
    </form>
  );
}
