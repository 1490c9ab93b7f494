import { TextInput } from '@mantine/core';
import type { ConnectionUpdate, StayProfile } from '@portico/contract/integration-kinds.ts';
import type { Integration } from '@portico/contract/integrations.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestResult } from '#features/integrations/connection-test.tsx';
import { ConnectionTest } from '#features/integrations/connection-test.tsx';
import {
  type ConnectionValues,
  connectionValues,
  withoutEmptySecrets,
} from '#features/integrations/connection-values.ts';
import type { MappedField } from '#features/integrations/guess-mapping.ts';
import { HandoverValues } from '#features/integrations/handover-values.tsx';
import { IntegrationScreen } from '#features/integrations/integration-screen.tsx';
import { useRetestConnection, useUpdateIntegration } from '#features/integrations/integrations.api.ts';
import { LinkFacts } from '#features/integrations/link-facts.tsx';
import { SigningSecret } from '#features/integrations/signing-secret.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan, useLimited } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const ConnectionFields = lazyPart(
  () => import('#features/integrations/connection-fields.tsx'),
  'ConnectionFields',
  'in-place',
);
// Only hotel systems give codes to their guests.
const StayProfiles = lazyPart(() => import('#features/integrations/stay-profiles.tsx'), 'StayProfiles', 'in-place');
// Only PMS integrations map columns.
const MappingFields = lazyPart(() => import('#features/integrations/mapping-fields.tsx'), 'MappingFields', 'in-place');

export const IntegrationEditPage = () => (
  <IntegrationScreen>
    {it => (
      <>
        {it.link && <LinkFacts link={it.link} />}
        <IntegrationForm key={it.id} it={it} />
      </>
    )}
  </IntegrationScreen>
);

interface Values extends Record<string, unknown> {
  name: string;
  params: { connection: ConnectionValues; fields: { [F in MappedField]?: string | null | undefined } | null };
}

function IntegrationForm({ it }: { it: Integration }) {
  const { t } = useTranslation('integrations');
  // Users limited to some devices cannot change an integration that covers all of them.
  const closed = useLimited() && it.type.type === 'webhook';
  const readOnly = !useCan()('update-integrations') || closed;
  const update = useUpdateIntegration(it.id);
  const test = useRetestConnection(it.id);
  const isHotel = it.type.connection_type === 'link';
  const { fields } = it.params;
  // Until the connection is tested, only the mapped columns are known.
  const [tested, setTested] = useState<readonly TestResult[]>([]);
  const mapped = [...new Set(Object.values(fields ?? {}).filter((name): name is string => !!name))];
  const columns = [
    ...tested,
    ...mapped.filter(name => tested.every(it => it.name !== name)).map(name => ({ name, value: null })),
  ];
  const initial: Values = {
    name: it.name,
    params: { connection: connectionValues(it.type.slug, null, it.params.connection ?? undefined), fields },
  };
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/integrations.ts')).integrationUpdate,
    initial,
    version: it.updated_at,
    toInput: ({ name, params }) => ({
      name,
      params: { ...params, connection: withoutEmptySecrets(params.connection) },
    }),
    submit: values => update.mutateAsync(values),
  });
  const { params } = form.values;
  const tryIt = async (to: string | undefined) => {
    const body = withoutEmptySecrets(params.connection) as ConnectionUpdate;
    const found = (await test.mutateAsync({ ...body, to })).data;
    if (fields) setTested(found);
    return found;
  };
  return (
    <form {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('general')}>
          <TextInput label={t('name')} withAsterisk {...form.getInputProps('name')} />
        </Card>
        <Card
          title={t('step.connection')}
          description={it.type.type === 'webhook' || it.type.slug === 'fias' ? undefined : t('connection.secretsHelp')}
        >
          <div className={layout.fields}>
            <ConnectionFields
              kind={it.type}
              editing
              input={(name, options) => form.getInputProps(`params.connection.${name}`, options)}
            />
            <ConnectionTest key={it.updated_at} kind={it.type.slug} onTry={tryIt} />
          </div>
        </Card>
        {isHotel && it.location_id && (
          <Card title={t('stays.title')} description={t('stays.help')}>
            <StayProfiles
              locationId={it.location_id}
              value={(params.connection['profiles'] as StayProfile[] | undefined) ?? []}
              onChange={rows => form.setFieldValue('params.connection.profiles', rows)}
              input={name => form.getInputProps(`params.connection.profiles.${name}`)}
            />
          </Card>
        )}
        {params.fields && (
          <Card title={t('step.fields')} description={t('mapping.editHelp')}>
            <div className={layout.fields}>
              <MappingFields
                columns={columns}
                values={params.fields}
                input={name => form.getInputProps(`params.fields.${name}`)}
              />
            </div>
          </Card>
        )}
      </fieldset>
      {it.hook_url && (
        <Card title={t('openid.there')} description={t(isHotel ? 'cloud.hookText' : 'payment.hookText')}>
          <HandoverValues made={it} />
        </Card>
      )}
      {it.redirect_uri && (
        <Card title={t('openid.there')}>
          <HandoverValues made={it} />
        </Card>
      )}
      {it.type.type === 'webhook' && !readOnly && <SigningSecret id={it.id} />}
      <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
