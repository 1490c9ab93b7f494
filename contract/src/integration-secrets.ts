import { type IntegrationSlug, operatorSlugs, pmsSlugs } from './integration-names.ts';

interface SecretFields {
  readonly secrets: readonly string[];
  readonly places: readonly string[];
}
const forEach = <S extends string>(slugs: readonly S[], fields: SecretFields) =>
  Object.fromEntries(slugs.map(slug => [slug, fields])) as Record<S, SecretFields>;

/**
 * The secrets of each kind, and the fields that say where they are sent. If one of those changes, the secrets must be
 * entered again.
 */
export const secretsOf: Readonly<Record<IntegrationSlug, SecretFields>> = {
  ...forEach(pmsSlugs, { secrets: ['db_password'], places: ['db_host', 'db_port', 'tls'] }),
  fias: { secrets: [], places: ['host', 'port'] },
  mews: { secrets: ['client_token', 'access_token'], places: ['environment'] },
  apaleo: { secrets: ['client_secret'], places: [] },
  ...forEach(operatorSlugs, { secrets: ['password'], places: [] }),
  'sms-http': { secrets: ['password', 'headers'], places: ['url'] },
  webhook: { secrets: [], places: [] },
  smtp: { secrets: ['password'], places: ['host', 'port', 'security'] },
  openid: { secrets: ['client_secret'], places: ['issuer'] },
  'test-payment': { secrets: [], places: [] },
  stripe: { secrets: ['secret_key', 'webhook_secret'], places: [] },
  iyzico: { secrets: ['secret_key'], places: ['sandbox'] },
  paytr: { secrets: ['merchant_key', 'merchant_salt'], places: [] },
};
