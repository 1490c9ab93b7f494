import type { ConnectionUpdate, ShownConnection } from '@portico/contract/integration-kinds.ts';
import { type IntegrationSlug } from '@portico/contract/integration-names.ts';

/** What the form of a connection begins with. */
const empty = {
  pms: { db_host: '', db_username: '', db_password: '', db_name: '', db_table: '', tls: false },
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
} as const;

const groupOf = (slug: IntegrationSlug): keyof typeof empty => {
  if (slug === 'postgresql' || slug === 'mysql' || slug === 'mssql') return 'pms';
  if (slug === 'netgsm' || slug === 'iletimerkezi' || slug === 'twilio' || slug === 'vonage') return 'operator';
  return slug;
};

export type ConnectionValues = Record<string, unknown>;

/** What is known of a connection, and empty fields for the rest; its secrets are never among what is known. */
export function connectionValues(
  slug: IntegrationSlug,
  port: number | null,
  known: ShownConnection | ConnectionUpdate | undefined,
): ConnectionValues {
  const group = groupOf(slug);
  const ports = group === 'pms' ? { db_port: port } : group === 'smtp' ? { port } : {};
  return { ...empty[group], ...ports, ...known, type: slug };
}

const secrets = ['db_password', 'password', 'client_secret', 'headers'];

/** As it is sent for a change: a secret left empty stays what it is. */
export const withoutEmptySecrets = (values: ConnectionValues): ConnectionValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !(secrets.includes(name) && value === '')));
