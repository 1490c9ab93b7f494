import { NativeSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import {
  fiasEncodings,
  fiasUserFields,
  type IntegrationSlug,
  smsContentTypes,
  smtpSecurities,
} from '@portico/contract/integration-names.ts';
import { currencies } from '@portico/contract/units.ts';

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CloudHotelFields } from '#features/integrations/cloud-hotel-fields.tsx';
import classes from '#features/integrations/integrations.module.css';
import { WebhookEvents } from '#features/integrations/webhook-events.tsx';
import layout from '#ui/form-layout.module.css';
import { NumberField } from '#ui/number-field.tsx';
import { PasswordField } from '#ui/password-field.tsx';

interface Props {
  kind: { slug: IntegrationSlug; name: string };
  /** Mantine's function, with the connection's path in the form prefixed to the name. */
  input: (name: string, options?: { type: 'checkbox' }) => object;
  /** Secrets are stored already and are kept if left empty. */
  editing?: boolean;
}

const below = ['label', 'input', 'description', 'error'] as const;
const described = (text: string | undefined) => ({ description: text, inputWrapperOrder: [...below] });

/** The fields of a connection of any type. */
export function ConnectionFields({ kind, input, editing = false }: Props) {
  const { t } = useTranslation('integrations');
  const secret = (name: string, label: string, required = true) => (
    <PasswordField
      key={name}
      label={label}
      withAsterisk={required && !editing}
      placeholder={editing ? t('connection.unchanged') : undefined}
      autoComplete="new-password"
      {...input(name)}
    />
  );
  const text = (name: string, label: string, more: object = {}) => (
    <TextInput key={name} label={label} withAsterisk autoComplete="off" {...more} {...input(name)} />
  );
  const hostAndPort = (host: string, port: string, example: string) => (
    <div className={classes.hostAndPort}>
      {text(host, t('connection.host'), { placeholder: example, 'data-autofocus': true })}
      <NumberField label={t('connection.port')} withAsterisk {...input(port)} />
    </div>
  );
  const help = (words: string): ReactNode => <p className={classes.help}>{words}</p>;
  switch (kind.slug) {
    case 'postgresql':
    case 'mysql':
    case 'mssql':
      return (
        <>
          {help(t('connection.help', { kind: kind.name }))}
          {hostAndPort('db_host', 'db_port', 'pms.example.com')}
          <div className={layout.two}>
            {text('db_username', t('connection.username'))}
            {secret('db_password', t('connection.password'))}
            {text('db_name', t('connection.database'))}
            {text('db_table', t('connection.table'), described(t('connection.tableHelp')))}
          </div>
          <Switch
            label={t('connection.tls')}
            description={t('connection.tlsHelp')}
            {...input('tls', { type: 'checkbox' })}
          />
        </>
      );
    case 'fias':
      return (
        <>
          {help(t('fias.help'))}
          {hostAndPort('host', 'port', 'ifc8.example.com')}
          <NativeSelect
            label={t('fias.encoding')}
            data={fiasEncodings.map(value => ({ value, label: t(`fias.encodings.${value}`) }))}
            {...described(t('fias.encodingHelp'))}
            {...input('encoding')}
          />
          <p className={classes.help}>{t('fias.fieldsHelp')}</p>
          <div className={classes.three}>
            {(['birth_date_field', 'id_number_field', 'rate_field'] as const).map(name => (
              <Select
                key={name}
                label={t(`fias.${name}`)}
                placeholder={t('fias.noField')}
                data={[...fiasUserFields]}
                clearable
                {...input(name)}
              />
            ))}
          </div>
          <Select
            label={t('fias.currency')}
            placeholder={t('fias.noCharges')}
            data={currencies.map(value => ({ value, label: value.toUpperCase() }))}
            clearable
            {...described(t('fias.currencyHelp'))}
            {...input('currency')}
          />
          <Switch
            label={t('fias.repeats')}
            description={t('fias.repeatsHelp')}
            {...input('repeats', { type: 'checkbox' })}
          />
        </>
      );
    case 'mews':
    case 'apaleo':
      return <CloudHotelFields slug={kind.slug} input={input} text={text} secret={secret} />;
    case 'netgsm':
    case 'iletimerkezi':
    case 'twilio':
    case 'vonage':
      return (
        <>
          {help(t('sms.help', { kind: kind.name }))}
          <div className={layout.two}>
            {text('username', t(`sms.username.${kind.slug}`), { 'data-autofocus': true })}
            {secret('password', t(`sms.password.${kind.slug}`))}
          </div>
          {text('sender', t('sms.sender'), described(t('sms.senderHelp')))}
        </>
      );
    case 'sms-http':
      return (
        <>
          {help(t('sms.httpHelp'))}
          <div className={classes.methodAndUrl}>
            <NativeSelect label={t('sms.method')} data={['POST', 'GET']} {...input('method')} />
            {text('url', t('webhook.url'), { placeholder: 'https://sms.example.com/send', 'data-autofocus': true })}
          </div>
          <div className={layout.two}>
            {text('username', t('connection.username'), { withAsterisk: false })}
            {secret('password', t('connection.password'), false)}
            {text('sender', t('sms.sender'), { withAsterisk: false })}
            <NativeSelect label={t('sms.contentType')} data={[...smsContentTypes]} {...input('content_type')} />
          </div>
          <Textarea
            label={t('sms.headers')}
            rows={2}
            placeholder={editing ? t('connection.unchanged') : 'Authorization: Bearer …'}
            {...described(t('sms.headersHelp'))}
            {...input('headers')}
          />
          <Textarea label={t('sms.body')} rows={3} {...described(t('sms.bodyHelp'))} {...input('body')} />
          {text('answer_has', t('sms.answerHas'), { withAsterisk: false, ...described(t('sms.answerHasHelp')) })}
        </>
      );
    case 'webhook':
      return (
        <>
          {help(t('webhook.help'))}
          {text('url', t('webhook.url'), { placeholder: 'https://example.com/portico', 'data-autofocus': true })}
          <WebhookEvents {...input('events')} />
        </>
      );
    case 'smtp':
      return (
        <>
          {help(t('smtp.help'))}
          {hostAndPort('host', 'port', 'smtp.example.com')}
          <NativeSelect
            label={t('smtp.security')}
            data={smtpSecurities.map(value => ({ value, label: t(`smtp.securities.${value}`) }))}
            {...input('security')}
          />
          <div className={layout.two}>
            {text('username', t('connection.username'), { withAsterisk: false })}
            {secret('password', t('connection.password'), false)}
            {text('from_name', t('smtp.fromName'))}
            {text('from_address', t('smtp.fromAddress'), { type: 'email' })}
          </div>
        </>
      );
    case 'stripe':
      return (
        <>
          {help(t('payment.stripeHelp'))}
          {secret('secret_key', t('payment.secretKey'))}
          {secret('webhook_secret', t('payment.webhookSecret'), false)}
          {help(t('payment.hookHelp'))}
        </>
      );
    case 'iyzico':
      return (
        <>
          {help(t('payment.help', { kind: kind.name }))}
          {text('api_key', t('payment.apiKey'), { 'data-autofocus': true })}
          {secret('secret_key', t('payment.secretKey'))}
          <Switch label={t('payment.sandbox')} {...input('sandbox', { type: 'checkbox' })} />
        </>
      );
    case 'paytr':
      return (
        <>
          {help(t('payment.help', { kind: kind.name }))}
          {text('merchant_id', t('payment.merchantId'), { 'data-autofocus': true, inputMode: 'numeric' })}
          <div className={layout.two}>
            {secret('merchant_key', t('payment.merchantKey'))}
            {secret('merchant_salt', t('payment.merchantSalt'))}
          </div>
          <Switch label={t('payment.testMode')} {...input('test_mode', { type: 'checkbox' })} />
        </>
      );
    case 'test-payment':
      return help(t('payment.testHelp'));
    default:
      return (
        <>
          {help(t('openid.help'))}
          {text('issuer', t('openid.issuer'), {
            placeholder: 'https://accounts.google.com',
            'data-autofocus': true,
            ...described(t('openid.issuerHelp')),
          })}
          <div className={layout.two}>
            {text('client_id', t('openid.clientId'))}
            {secret('client_secret', t('openid.clientSecret'))}
          </div>
          {text('label', t('openid.label'), { placeholder: 'Google', ...described(t('openid.labelHelp')) })}
        </>
      );
  }
}
