import type { ConnectionUpdate, ShownConnection } from '@portico/contract/integration-kinds.ts';
import { type IntegrationSlug } from '@portico/contract/integration-names.ts';
import { secretsOf } from '@portico/contract/integration-secrets.ts';

/** The initial fields of a connection form. */
const empty = {
  pms: { db_host: '', db_username: '', db_password: '', db_name: '', db_table: '', tls: false },
  fias: {
    host: '',
    encoding: 'utf-8',
    birth_date_field: null,
    id_number_field: null,
    rate_field: null,
    profiles: [],
    currency: null,
    repeats: true,
  },
  mews: {
    environment: 'production',
    client_token: '',
    access_token: '',
    service_id: '',
    tax_code: '',
    profiles: [],
    currency: null,
  },
  apaleo: { client_id: '', client_secret: '', property_id: '', vat_type: 'Normal', profiles: [], currency: null },
  operator: { username: '', password: '', sender: '' },
  'sms-http': {
    method: 'POST',
    url: '',
    content_type: 'application/json',
    headers: '',
    body: '{"to":"{to}","text":"{text}"}',
    username: '',
    password: '',
    sender: '',
    answer_has: '',
  },
  webhook: { url: '', events: ['guest.online', 'guest.offline'] },
  smtp: { host: '', security: 'starttls', username: '', password: '', from_name: '', from_address: '' },
  openid: { issuer: '', client_id: '', client_secret: '', label: '' },
  stripe: { secret_key: '', webhook_secret: '' },
  iyzico: { api_key: '', secret_key: '', sandbox: false },
  paytr: { merchant_id: '', merchant_key: '', merchant_salt: '', test_mode: false },
  'test-payment': {},
} as const;

const groupOf = (slug: IntegrationSlug): keyof typeof empty => {
  if (slug === 'postgresql' || slug === 'mysql' || slug === 'mssql') return 'pms';
  if (slug === 'netgsm' || slug === 'iletimerkezi' || slug === 'twilio' || slug === 'vonage') return 'operator';
  return slug;
};

export type ConnectionValues = Record<string, unknown>;

/** The stored values of a connection, with empty fields for the others. Secrets are never among the stored values. */
export function connectionValues(
  slug: IntegrationSlug,
  port: number | null,
  known: ShownConnection | ConnectionUpdate | undefined,
): ConnectionValues {
  const group = groupOf(slug);
  const ports = group === 'pms' ? { db_port: port } : group === 'smtp' || group === 'fias' ? { port } : {};
  return { ...empty[group], ...ports, ...known, type: slug };
}

const secrets = new Set(Object.values(secretsOf).flatMap(it => it.secrets));

/** The values to send for an update: an empty secret is left out, so that it keeps its value. */
export const withoutEmptySecrets = (values: ConnectionValues): ConnectionValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !(secrets.has(name) && value === '')));
