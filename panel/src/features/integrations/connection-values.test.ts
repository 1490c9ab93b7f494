import { type IntegrationSlug, integrationSlugs } from '@portico/contract/integration-names.ts';
import { secretsOf } from '@portico/contract/integration-secrets.ts';
import { describe, expect, test } from 'vitest';
import { connectionValues, withoutEmptySecrets } from '#features/integrations/connection-values.ts';

describe('an update of a connection', () => {
  test('leaves out empty secrets', () => {
    const secrets = { db_password: '', password: '', client_secret: '', headers: '' };
    expect(withoutEmptySecrets({ ...secrets, db_host: 'pms.example', sender: '' })).toEqual({
      db_host: 'pms.example',
      sender: '',
    });
  });

  test.each(Object.entries(secretsOf))('of %s has none of its empty secrets', (_, { secrets }) => {
    const values = Object.fromEntries(secrets.map(name => [name, '']));
    expect(withoutEmptySecrets({ ...values, url: '' })).toEqual({ url: '' });
  });

  test('includes entered secrets', () => {
    expect(withoutEmptySecrets({ username: 'hotel', password: 'new secret' })).toEqual({
      username: 'hotel',
      password: 'new secret',
    });
  });
});

describe('the form of a connection', () => {
  test('starts empty, with the default port of its type', () => {
    expect(connectionValues('mysql', 3306, undefined)).toEqual({
      type: 'mysql',
      db_host: '',
      db_port: 3306,
      db_username: '',
      db_password: '',
      db_name: '',
      db_table: '',
      tls: false,
    });
    expect(connectionValues('smtp', 587, undefined)).toMatchObject({ type: 'smtp', port: 587, security: 'starttls' });
    expect(connectionValues('fias', 5010, undefined)).toMatchObject({ type: 'fias', port: 5010, repeats: true });
    for (const slug of ['postgresql', 'mssql'] as const)
      expect(connectionValues(slug, 1, undefined)).toMatchObject({ type: slug, db_port: 1, tls: false });
    expect(connectionValues('webhook', 1, undefined)).toEqual({
      type: 'webhook',
      url: '',
      events: ['guest.online', 'guest.offline'],
    });
    expect(connectionValues('netgsm', null, undefined)).toEqual({
      type: 'netgsm',
      username: '',
      password: '',
      sender: '',
    });
  });

  test.each(['netgsm', 'iletimerkezi', 'twilio', 'vonage'] as const)('of the operator %s has its account', slug => {
    expect(connectionValues(slug, null, undefined)).toEqual({ type: slug, username: '', password: '', sender: '' });
  });

  test.each(integrationSlugs)('of %s has a field for each of its secrets', (slug: IntegrationSlug) => {
    const { secrets } = secretsOf[slug];
    expect(connectionValues(slug, null, undefined)).toMatchObject(Object.fromEntries(secrets.map(name => [name, ''])));
  });

  test('starts with the usual choices', () => {
    expect(connectionValues('mews', null, undefined)).toMatchObject({ environment: 'production', currency: null });
    expect(connectionValues('apaleo', null, undefined)).toMatchObject({ vat_type: 'Normal', profiles: [] });
    expect(connectionValues('sms-http', null, undefined)).toMatchObject({
      ...{ method: 'POST', content_type: 'application/json', body: '{"to":"{to}","text":"{text}"}', answer_has: '' },
    });
    expect(connectionValues('fias', null, undefined)).toMatchObject({ encoding: 'utf-8', profiles: [] });
    expect(connectionValues('iyzico', null, undefined)).toMatchObject({ sandbox: false });
    expect(connectionValues('paytr', null, undefined)).toMatchObject({ test_mode: false });
  });

  test('shows the stored values without secrets', () => {
    const known = { type: 'netgsm', username: 'hotel', sender: 'OTEL' } as const;
    expect(connectionValues('netgsm', null, known)).toEqual({ ...known, password: '' });
  });
});
