import { Button, Checkbox, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { SsoSettings } from '@portico/contract/sso.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SsoChoices, useDeleteSso, useSaveSso } from '#features/sso/sso.api.ts';
import classes from '#features/sso/sso.module.css';
import { SsoMappings } from '#features/sso/sso-mappings.tsx';
import { ssoInput, ssoValues } from '#features/sso/sso-values.ts';
import { formatDateTime } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { loadTenant } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';
import layout from '#ui/form-layout.module.css';
import { Notice } from '#ui/notice.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

const below = ['label', 'input', 'description', 'error'] as const;

export function SsoForm({ settings, choices }: { settings: SsoSettings; choices: SsoChoices }) {
  const { t } = useTranslation(['sso', 'common']);
  const { provider, redirect_uris } = settings;
  const readOnly = !useCan()('tenant-admin');
  const me = useUser();
  const save = useSaveSso();
  const remove = useDeleteSso();
  const [removing, setRemoving] = useState(false);
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/sso.ts')).ssoForm,
    initial: ssoValues(settings, choices.admins.some(it => it.id === me.id) ? me.id : ''),
    version: provider?.updated_at ?? '',
    toInput: ssoInput,
    submit: async values => {
      await save.mutateAsync(values);
      // The sign-in page and the preview of the settings show the provider.
      await loadTenant();
    },
  });
  const { values, getInputProps } = form;
  const domains = [...new Set([...choices.domains, ...values.domains])];
  return (
    <form {...element} className={classes.form}>
      {choices.domains.length === 0 && (
        <Notice
          tone="info"
          title={t('noDomain')}
          action={
            <Button component={Link} to="/settings/domains" variant="default" size="xs">
              {t('toDomains')}
            </Button>
          }
        >
          {t('noDomainText')}
        </Notice>
      )}
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('provider')} description={t('providerHelp')}>
          <div className={layout.fields}>
            <Switch label={t('enabled')} {...getInputProps('enabled', { type: 'checkbox' })} />
            <Facts
              facts={redirect_uris.map((uri, i) => ({
                label: i === 0 ? t('redirectUri') : t('redirectUriMore', { number: i + 1 }),
                value: uri,
                copy: uri,
                code: true,
              }))}
            />
            <div className={layout.two}>
              <TextInput label={t('label')} placeholder="Entra ID" withAsterisk {...getInputProps('label')} />
              <TextInput
                label={t('issuer')}
                placeholder="https://login.example.com/realms/acme"
                withAsterisk
                autoCapitalize="none"
                spellCheck={false}
                {...getInputProps('issuer')}
              />
              <TextInput label={t('clientId')} withAsterisk autoComplete="off" {...getInputProps('client_id')} />
              <PasswordField
                label={t('clientSecret')}
                description={provider ? t('secretKept') : undefined}
                inputWrapperOrder={[...below]}
                withAsterisk={!provider}
                autoComplete="new-password"
                {...getInputProps('client_secret')}
              />
            </div>
            <Checkbox.Group
              label={t('domains')}
              description={t('domainsHelp')}
              withAsterisk
              {...getInputProps('domains')}
            >
              <div className={classes.domains}>
                {domains.map(host => (
                  <Checkbox key={host} value={host} label={host} />
                ))}
                {domains.length === 0 && <p className={classes.proven}>{t('noDomain')}</p>}
              </div>
            </Checkbox.Group>
          </div>
        </Card>
        <Card title={t('rights')} description={t('rightsHelp')}>
          <div className={layout.fields}>
            <TextInput
              label={t('groupsClaim')}
              description={t('groupsClaimHelp')}
              inputWrapperOrder={[...below]}
              autoCapitalize="none"
              spellCheck={false}
              {...getInputProps('groups_claim')}
            />
            <SsoMappings form={form} choices={choices} readOnly={readOnly} />
            <Switch
              label={t('createAccounts')}
              description={t('createAccountsHelp')}
              {...getInputProps('create_accounts', { type: 'checkbox' })}
            />
          </div>
        </Card>
        <Card title={t('enforcement')} description={t('enforcementHelp')}>
          <div className={layout.fields}>
            <p className={classes.proven}>
              {provider?.proven_at ? t('proven', { time: formatDateTime(provider.proven_at) }) : t('notProven')}
            </p>
            <Switch
              label={t('enforced')}
              description={t('enforcedHelp')}
              {...getInputProps('enforced', { type: 'checkbox' })}
            />
            <NativeSelect
              label={t('emergency')}
              description={t('emergencyHelp')}
              inputWrapperOrder={[...below]}
              data={[
                { value: '', label: t('noEmergency') },
                ...choices.admins.map(it => ({ value: it.id, label: `${it.full_name} (${it.email})` })),
              ]}
              {...getInputProps('emergency_user_id')}
            />
          </div>
        </Card>
      </fieldset>
      <div className={classes.more}>
        <Button component={Link} to="/settings/sso/accounts" variant="default">
          {t('links.title')}
        </Button>
        {provider && !readOnly && (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )}
      </div>
      <SaveBar readOnly={readOnly} dirty={form.isDirty()} pending={save.isPending} onDiscard={form.reset} />
      {removing && (
        <Confirm
          opened
          title={t('removeTitle')}
          text={t('removeText')}
          confirm={t('remove')}
          cancel={t('common:cancel')}
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setRemoving(false) })}
          onClose={() => setRemoving(false)}
        />
      )}
    </form>
  );
}
