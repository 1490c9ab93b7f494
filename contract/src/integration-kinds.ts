import { z } from 'zod';
import { email, id, whole } from './fields.ts';
import {
  apaleoVatTypes,
  fiasEncodings,
  fiasUserFields,
  type IntegrationSlug,
  type IntegrationType,
  integrationSlugs,
  mewsEnvironments,
  operatorSlugs,
  type PmsSlug,
  pmsSlugs,
  smsContentTypes,
  smtpSecurities,
  stayCodes,
  webhookEvents,
} from './integration-names.ts';
import { currencies } from './units.ts';
import { hasNoUser } from './web-address.ts';

/** The kinds of integrations and the fields of their connections. */

interface Kind {
  readonly id: IntegrationSlug;
  readonly slug: IntegrationSlug;
  readonly name: string;
  readonly type: IntegrationType;
  readonly connection_type: 'database' | 'link' | 'http' | 'smtp' | 'openid';
  readonly logo: string;
  /** The usual port, for kinds with a port. */
  readonly port: number | null;
}

const kind = (
  slug: IntegrationSlug,
  name: string,
  type: IntegrationType,
  connection_type: Kind['connection_type'],
  port: number | null = null,
): Kind => ({ id: slug, slug, name, type, connection_type, logo: `/integrations/${slug}.svg`, port });

/** All kinds that can be connected. */
export const integrationKinds: readonly Kind[] = [
  kind('postgresql', 'PostgreSQL', 'pms', 'database', 5432),
  kind('mysql', 'MySQL / MariaDB', 'pms', 'database', 3306),
  kind('mssql', 'Microsoft SQL Server', 'pms', 'database', 1433),
  kind('fias', 'FIAS (Oracle OPERA)', 'pms', 'link', 5010),
  kind('mews', 'Mews', 'pms', 'link'),
  kind('apaleo', 'Apaleo', 'pms', 'link'),
  kind('netgsm', 'Netgsm', 'sms', 'http'),
  kind('iletimerkezi', 'İleti Merkezi', 'sms', 'http'),
  kind('twilio', 'Twilio', 'sms', 'http'),
  kind('vonage', 'Vonage', 'sms', 'http'),
  kind('sms-http', 'HTTP', 'sms', 'http'),
  kind('webhook', 'Webhook', 'webhook', 'http'),
  kind('smtp', 'SMTP', 'email', 'smtp', 587),
  kind('openid', 'OpenID Connect', 'social', 'openid'),
  kind('stripe', 'Stripe', 'payment', 'http'),
  kind('iyzico', 'iyzico', 'payment', 'http'),
  kind('paytr', 'PayTR', 'payment', 'http'),
  kind('test-payment', 'Test provider', 'payment', 'http'),
];

const short = z.string().trim().min(1).max(128);
const secret = z.string().min(1).max(1000);
export const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:_-]+$/, 'host_format');
const port = whole(1, 65_535);
/** A secret is never returned, so forms send an empty text to keep it. */
const keptSecret = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform(it => it || undefined);
/** A web address without credentials, which would be shown with the address. */
const webAddress = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .refine(text => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), { error: 'url', abort: true })
  .refine(hasNoUser, 'link_user');

/** A table of the hotel's own database, which is only read. `db_table` may contain its schema: `hotel.guests`. */
export const pmsConnection = z.object({
  type: z.enum(pmsSlugs),
  db_host: host,
  db_port: port,
  db_username: short,
  db_password: z.string().min(1).max(256),
  db_name: short,
  db_table: z.string().trim().min(1).max(257),
  /** Refuse a connection without a valid certificate. */
  tls: z.boolean().optional(),
});
export type PmsConnection = z.output<typeof pmsConnection>;

/** The session profile of hotel guests with this code. The first that fits counts. */
const stayProfile = z.object({
  by: z.enum(stayCodes),
  code: z.string().trim().min(1).max(40),
  profile_id: id,
});
export type StayProfile = z.output<typeof stayProfile>;

const userField = z.enum(fiasUserFields).nullable().default(null);

/**
 * The interface of a hotel system that speaks FIAS. `currency`: of the rooms' bills; null: charges are not sent. `repeats`: it
 * recognises a posting that comes twice with one number, so that one without an answer may be sent again. Portico connects to it. The three fields name the free fields
 * in which the hotel keeps these details.
 */
export const fiasConnection = z.object({
  type: z.literal('fias'),
  host,
  port,
  encoding: z.enum(fiasEncodings).default('utf-8'),
  birth_date_field: userField,
  id_number_field: userField,
  rate_field: userField,
  profiles: z.array(stayProfile).max(50).default([]),
  currency: z.enum(currencies).nullable().default(null),
  repeats: z.boolean().default(true),
});
export type FiasConnection = z.output<typeof fiasConnection>;

const stayProfiles = z.array(stayProfile).max(50).default([]);
const chargesIn = z.enum(currencies).nullable().default(null);
/** Without them the bill would not know its tax. */
const neededForCharges =
  (...names: readonly string[]) =>
  (it: { currency: string | null }, context: z.RefinementCtx) => {
    for (const name of names)
      if (it.currency !== null && !(it as Record<string, unknown>)[name])
        context.addIssue({ code: 'custom', path: [name], message: 'required' });
  };

/**
 * A hotel at Mews, by its Connector API. The address follows from the environment. `service_id` and `tax_code`: the service
 * under which charges appear on the bill, and its tax rate.
 */
const mewsFields = z.object({
  type: z.literal('mews'),
  environment: z.enum(mewsEnvironments).default('production'),
  client_token: secret,
  access_token: secret,
  service_id: z
    .union([z.literal(''), z.guid()])
    .nullish()
    .transform(it => it || null),
  tax_code: z.string().trim().max(64).default(''),
  profiles: stayProfiles,
  currency: chargesIn,
});
export const mewsConnection = mewsFields.superRefine(neededForCharges('service_id', 'tax_code'));
export type MewsConnection = z.output<typeof mewsConnection>;

/** A property at Apaleo, by its REST interface. `vat_type`: the tax of charges. */
export const apaleoConnection = z.object({
  type: z.literal('apaleo'),
  client_id: short,
  client_secret: secret,
  property_id: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'invalid'),
  vat_type: z.enum(apaleoVatTypes).default('Normal'),
  profiles: stayProfiles,
  currency: chargesIn,
});
export type ApaleoConnection = z.output<typeof apaleoConnection>;
export type CloudHotelConnection = MewsConnection | ApaleoConnection;
export type HotelConnection = FiasConnection | CloudHotelConnection;

/** An account at a known operator: Netgsm's subscriber number, İleti Merkezi's key, Twilio's SID, Vonage's key. */
export const operatorConnection = z.object({
  type: z.enum(operatorSlugs),
  username: short,
  password: secret,
  /** The name or number that guests see as the sender. */
  sender: z.string().trim().min(1).max(40),
});

/**
 * Any other gateway. Placeholders in address, headers and body: `{to}` is the number with its plus, `{number}` without it,
 * `{text}` the message, `{id}` its id. `{username}`, `{password}` and `{sender}` are the fields below.
 */
export const smsHttpConnection = z.object({
  type: z.literal('sms-http'),
  method: z.enum(['GET', 'POST']).default('POST'),
  url: webAddress,
  content_type: z.enum(smsContentTypes).default('application/json'),
  /** One `Name: value` per line. */
  headers: z
    .string()
    .trim()
    .max(4000)
    .refine(
      text => text.split('\n').every(line => !line.trim() || /^[\w!#$%&'*+.^`|~-]+:.+$/.test(line.trim())),
      'invalid',
    )
    .default(''),
  body: z.string().max(4000).default(''),
  username: z.string().trim().max(128).default(''),
  password: z.string().max(1000).default(''),
  sender: z.string().trim().max(40).default(''),
  /** A text that the response must contain if the message was accepted. Default: any status 2xx. */
  answer_has: z.string().trim().max(200).default(''),
});
export type SmsConnection = z.output<typeof operatorConnection> | z.output<typeof smsHttpConnection>;

export const webhookConnection = z.object({
  type: z.literal('webhook'),
  url: webAddress,
  events: z.array(z.enum(webhookEvents)).min(1),
});

/** The location's own mail server. */
export const smtpConnection = z.object({
  type: z.literal('smtp'),
  host,
  port,
  security: z.enum(smtpSecurities).default('starttls'),
  username: z.string().trim().max(254).default(''),
  password: z.string().max(1000).default(''),
  from_name: z.string().trim().min(1).max(80),
  from_address: email,
});
export type SmtpConnection = z.output<typeof smtpConnection>;

/** Sign-in with an external account: any OpenID Connect provider, by its issuer. */
export const openidConnection = z.object({
  type: z.literal('openid'),
  issuer: webAddress,
  client_id: z.string().trim().min(1).max(255),
  client_secret: secret,
  /** The label of the button, such as `Google`. */
  label: z.string().trim().min(1).max(40),
});
export type OpenidConnection = z.output<typeof openidConnection>;

/** Payments without money, on a page of our own. */
export const testPaymentConnection = z.object({ type: z.literal('test-payment') });
/**
 * Stripe Checkout. The signing secret exists once the webhook endpoint was made with the `hook_url` of the integration.
 * Without it, notifications are refused, and payments are found by polling.
 */
export const stripeConnection = z.object({
  type: z.literal('stripe'),
  secret_key: secret,
  webhook_secret: z.string().trim().max(1000).default(''),
});
/** iyzico Checkout Form. */
export const iyzicoConnection = z.object({
  type: z.literal('iyzico'),
  api_key: short,
  secret_key: secret,
  sandbox: z.boolean().default(false),
});
/** PayTR iFrame API, whose page is opened as a link. */
export const paytrConnection = z.object({
  type: z.literal('paytr'),
  merchant_id: z
    .string()
    .trim()
    .regex(/^\d{1,12}$/, 'number'),
  merchant_key: secret,
  merchant_salt: secret,
  test_mode: z.boolean().default(false),
});
const payments = [testPaymentConnection, stripeConnection, iyzicoConnection, paytrConnection] as const;
export type PaymentConnection = z.output<(typeof payments)[number]>;

const choice = { error: 'choose_kind' } as const;

export const integrationConnection = z.discriminatedUnion(
  'type',
  [
    pmsConnection,
    fiasConnection,
    mewsConnection,
    apaleoConnection,
    operatorConnection,
    smsHttpConnection,
    webhookConnection,
    smtpConnection,
    openidConnection,
    ...payments,
  ],
  choice,
);
export type IntegrationConnection = z.output<typeof integrationConnection>;

/** Secrets are never returned. A change may omit them to keep them. */
export const connectionUpdate = z.discriminatedUnion(
  'type',
  [
    pmsConnection.extend({ db_password: keptSecret(256) }),
    fiasConnection,
    mewsFields
      .extend({ client_token: keptSecret(1000), access_token: keptSecret(1000) })
      .superRefine(neededForCharges('service_id', 'tax_code')),
    apaleoConnection.extend({ client_secret: keptSecret(1000) }),
    operatorConnection.extend({ password: keptSecret(1000) }),
    // Without defaults: an omitted field is not emptied.
    smsHttpConnection.extend({
      headers: smsHttpConnection.shape.headers.unwrap().optional(),
      password: z.string().max(1000).optional(),
    }),
    webhookConnection,
    smtpConnection.extend({ password: z.string().max(1000).optional() }),
    openidConnection.extend({ client_secret: keptSecret(1000) }),
    testPaymentConnection,
    stripeConnection.extend({ secret_key: keptSecret(1000), webhook_secret: keptSecret(1000) }),
    iyzicoConnection.extend({ secret_key: keptSecret(1000) }),
    paytrConnection.extend({ merchant_key: keptSecret(1000), merchant_salt: keptSecret(1000) }),
  ],
  choice,
);
export type ConnectionUpdate = z.output<typeof connectionUpdate>;

/**
 * The part of a connection that a change sends. Only with the stored fields it is a whole `connectionUpdate`, which the
 * server checks. The defaults of that would otherwise replace what was not sent: the profiles of hotel guests, TLS, a sandbox.
 */
export const connectionChange = z
  .looseObject({ type: z.enum(integrationSlugs, choice).optional() })
  .describe('Fields of an IntegrationConnection of this kind. Those that are not sent keep their value.');
export type ConnectionChange = z.output<typeof connectionChange>;

export const shownConnection = z.discriminatedUnion('type', [
  pmsConnection.omit({ db_password: true }),
  fiasConnection,
  mewsFields.omit({ client_token: true, access_token: true }),
  apaleoConnection.omit({ client_secret: true }),
  operatorConnection.omit({ password: true }),
  smsHttpConnection.omit({ password: true, headers: true }),
  webhookConnection,
  smtpConnection.omit({ password: true }),
  openidConnection.omit({ client_secret: true }),
  testPaymentConnection,
  stripeConnection.omit({ secret_key: true, webhook_secret: true }),
  iyzicoConnection.omit({ secret_key: true }),
  paytrConnection.omit({ merchant_key: true, merchant_salt: true }),
]);
export type ShownConnection = z.output<typeof shownConnection>;

/** Whether a kind reads a table of the hotel's database. */
export const readsTable = (slug: string): slug is PmsSlug => pmsSlugs.some(it => it === slug);

/** The type of a kind. */
export const typeOf = (slug: string): IntegrationType => integrationKinds.find(it => it.slug === slug)!.type;
