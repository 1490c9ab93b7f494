import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, name, pageQuery, text, time } from './fields.ts';

export const integrationTypes = ['pms', 'sms', 'webhook', 'email', 'social'] as const;

/** What can be connected to: property-management systems by their database. */
export const integrationKinds = [
  {
    id: 'postgresql',
    slug: 'postgresql',
    name: 'PostgreSQL',
    type: 'pms',
    connection_type: 'database',
    logo: '/integrations/postgresql.svg',
    port: 5432,
  },
  {
    id: 'mysql',
    slug: 'mysql',
    name: 'MySQL / MariaDB',
    type: 'pms',
    connection_type: 'database',
    logo: '/integrations/mysql.svg',
    port: 3306,
  },
  {
    id: 'mssql',
    slug: 'mssql',
    name: 'Microsoft SQL Server',
    type: 'pms',
    connection_type: 'database',
    logo: '/integrations/mssql.svg',
    port: 1433,
  },
] as const;
export const pmsSlugs = ['postgresql', 'mysql', 'mssql'] as const;
export type PmsSlug = (typeof pmsSlugs)[number];

/** A table of the hotel's own database, read and never written. `db_table` may name its schema: `hotel.guests`. */
export const pmsConnection = z.object({
  type: z.enum(pmsSlugs),
  db_host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/, 'host_format'),
  db_port: z.coerce.number().int().min(1).max(65_535),
  db_username: z.string().trim().min(1).max(128),
  db_password: z.string().min(1).max(256),
  db_name: z.string().trim().min(1).max(128),
  db_table: z.string().trim().min(1).max(257),
  /** Refuse a connection without a valid certificate. */
  tls: z.boolean().optional(),
});
export type PmsConnection = z.output<typeof pmsConnection>;

const column = z.string().trim().min(1).max(128);
export const requiredFields = [
  'firstname',
  'lastname',
  'birth_date',
  'session_start_at',
  'session_end_at',
  'room_number',
] as const;
export const optionalFields = ['gender', 'nationality', 'phone', 'idNumber', 'email'] as const;

/** Which column holds what. */
export const fieldMapping = z.object({
  ...(Object.fromEntries(requiredFields.map(field => [field, column])) as Record<
    (typeof requiredFields)[number],
    typeof column
  >),
  ...(Object.fromEntries(optionalFields.map(field => [field, column.nullish()])) as Record<
    (typeof optionalFields)[number],
    z.ZodOptional<z.ZodNullable<typeof column>>
  >),
});
export type FieldMapping = z.output<typeof fieldMapping>;

/** `integration_id` is the kind's id. */
export const integrationForm = z.object({
  name,
  location_id: id,
  integration_id: z.enum(pmsSlugs),
  params: z.object({ connection: pmsConnection, fields: fieldMapping }),
});
export type IntegrationForm = z.output<typeof integrationForm>;

/** A password left out stays as it is. */
export const integrationUpdate = z.object({
  name,
  params: z.object({ connection: pmsConnection.partial({ db_password: true }), fields: fieldMapping }).optional(),
});
export type IntegrationUpdate = z.output<typeof integrationUpdate>;

const kind = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: z.enum(integrationTypes),
  connection_type: z.string(),
  logo: z.string(),
  port: z.number(),
});

/** An integration; the password of its connection is never told. `last_error` is in the words of the other side. */
export const integration = z.object({
  id,
  name: z.string(),
  location_id: id,
  location: z.object({ id, name: z.string() }),
  integration_id: z.string(),
  type: z.object({ slug: z.string(), name: z.string(), logo: z.string(), connection_type: z.string() }),
  last_worked_at: time.nullable(),
  last_error: z.string().nullable(),
  params: z.object({ connection: pmsConnection.omit({ db_password: true }), fields: fieldMapping }),
  created_at: time,
  updated_at: time,
});
export type Integration = z.output<typeof integration>;

export const integrationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/integration',
    access: 'view-integrations',
    summary: 'Integrations',
    query: z.object({ ...pageQuery(), search: text.optional() }),
    reply: page(integration),
  }),
  available: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/available',
    access: 'view-integrations',
    summary: 'What can be connected to',
    query: z.object({ ...pageQuery(), type: z.enum(integrationTypes).optional() }),
    reply: page(kind),
  }),
  test: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/test',
    access: 'store-integrations',
    summary: 'Try a connection; answers the columns of its table, each with a sample value',
    body: pmsConnection,
    reply: z.object({ data: z.array(z.object({ name: z.string(), value: z.string().nullable() })) }),
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/integration',
    access: 'store-integrations',
    summary: 'Make an integration',
    body: integrationForm,
    reply: one(integration),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/:id',
    access: 'view-integrations',
    summary: 'One integration',
    params: idParams,
    reply: one(integration),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/integration/:id',
    access: 'update-integrations',
    summary: 'Change an integration',
    params: idParams,
    body: integrationUpdate,
    reply: one(integration),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/integration/:id',
    access: 'delete-integrations',
    summary: 'Delete an integration; its guests stay until their stay ends',
    params: idParams,
    reply: 'none',
  }),
} as const;
