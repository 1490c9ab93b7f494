import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import {
  id,
  idParams,
  isLocalTime,
  locationRef,
  momentOrLocal,
  name,
  notDeleted,
  ofLocations,
  pageQuery,
  text,
  time,
} from './fields.ts';
import {
  connectionChange,
  connectionUpdate,
  integrationConnection,
  pmsConnection,
  shownConnection,
} from './integration-kinds.ts';
import {
  integrationSlugs,
  integrationTypes,
  optionalFields,
  requiredFields,
  webhookEvents,
} from './integration-names.ts';

const column = z.string().trim().min(1).max(128);

/** The column of each field. */
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

const mayBeEmpty = z
  .string()
  .trim()
  .max(128)
  .nullish()
  .transform(it => (it === '' ? null : it));
/** For forms: an empty choice is null. */
const mappingForm = fieldMapping.extend(
  Object.fromEntries(optionalFields.map(field => [field, mayBeEmpty])) as Record<
    (typeof optionalFields)[number],
    typeof mayBeEmpty
  >,
);

/** `integration_id` is the kind's id. Only a PMS has fields to map. */
export const integrationForm = z.object({
  name,
  /** Null: a webhook of the whole tenant, which only tenant administrators may have. */
  location_id: id.nullable(),
  integration_id: z.enum(integrationSlugs),
  params: z.object({ connection: integrationConnection, fields: mappingForm.nullish() }),
});
export type IntegrationForm = z.output<typeof integrationForm>;

/** The form of a change, whose connection is whole but for its secrets. */
export const integrationUpdate = z.object({
  name: name.optional(),
  location_id: locationRef,
  params: z.object({ connection: connectionUpdate.optional(), fields: mappingForm.nullish() }).optional(),
});

/** Omitted fields keep their value, including secrets and those within the connection and the mapping. */
export const integrationChange = integrationUpdate.extend({
  params: z.object({ connection: connectionChange.optional(), fields: mappingForm.partial().nullish() }).optional(),
});
export type IntegrationChange = z.output<typeof integrationChange>;

const kind = z.object({
  id: z.string(),
  slug: z.enum(integrationSlugs),
  name: z.string(),
  type: z.enum(integrationTypes),
  connection_type: z.string(),
  logo: z.string(),
  port: z.number().nullable(),
});
export type IntegrationKind = z.output<typeof kind>;

/** An integration, without its secrets. `last_error`: why it does not work now, in the caller's language. */
export const integration = z.object({
  id,
  name: z.string(),
  /** Null: a webhook of the whole tenant. */
  location_id: id.nullable(),
  location: z.object({ id, name: z.string() }).nullable(),
  integration_id: z.string(),
  type: z.object({
    slug: z.enum(integrationSlugs),
    name: z.string(),
    type: z.enum(integrationTypes),
    logo: z.string(),
    connection_type: z.string(),
  }),
  last_worked_at: time.nullable(),
  last_error: z.string().nullable(),
  /** `connection` null: it was encrypted with another SECRET_KEY and must be entered again. */
  params: z.object({ connection: shownConnection.nullable(), fields: fieldMapping.nullable() }),
  /** Social: the address to register at the provider. */
  redirect_uri: z.string().nullable(),
  /** Payment, and hotel systems in the cloud: the address to enter at the other side for its reports; null if it needs none. */
  hook_url: z.string().nullable(),
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
});
export type Integration = z.output<typeof integration>;

/** The link to a hotel system. `guests`: those in the house; `open_charges`: charges to rooms without an answer. */
const hotelLink = z.object({
  state: z.enum(['down', 'connecting', 'up']),
  up_since: time.nullable(),
  last_record_at: time.nullable(),
  guests: z.number(),
  open_charges: z.number(),
});
export type HotelLink = z.output<typeof hotelLink>;

/** The recipient of a test mail or test SMS. */
const testRecipient = z.object({ to: z.string().trim().max(254).optional() });
/** A test without a type counts as one of a hotel database, so that all missing fields are reported together. */
const untypedTest = z
  .unknown()
  .superRefine((sent, context) => {
    if (typeof sent !== 'object' || sent === null || 'type' in sent) return;
    for (const { path } of pmsConnection.omit({ type: true }).safeParse(sent).error?.issues ?? [])
      if ((sent as Record<PropertyKey, unknown>)[path[0]!] === undefined)
        context.addIssue({ code: 'custom', path, message: 'required' });
  })
  .transform(() => ({}));
const columns = z.object({ data: z.array(z.object({ name: z.string(), value: z.string().nullable() })) });

/** One event for a webhook. */
export const webhookDelivery = z.object({
  id,
  event: z.enum([...webhookEvents, 'test']),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  /** The HTTP status of the last answer. */
  status: z.number().nullable(),
  error: z.string().nullable(),
  body: z.string(),
  created_at: time,
  next_at: time.nullable(),
  delivered_at: time.nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** Which failed deliveries to send again: those of events since this time. */
export const resendForm = z.object({ since: momentOrLocal.refine(typed => !isLocalTime(typed), 'date') });

/** One SMS; `to` shows only the end of the number. */
export const smsMessage = z.object({
  id,
  to: z.string(),
  state: z.enum(['queued', 'sent', 'delivered', 'failed']),
  error: z.string().nullable(),
  created_at: time,
  sent_at: time.nullable(),
  delivered_at: time.nullable(),
});
export type SmsMessage = z.output<typeof smsMessage>;

export const integrationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/integration',
    access: 'view-integrations',
    summary: 'Integrations',
    query: z.object({ ...pageQuery(), ...ofLocations(), search: text.optional() }),
    reply: page(integration),
  }),
  available: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/available',
    access: 'view-integrations',
    summary: 'Types of integrations',
    query: z.object({ ...pageQuery(), type: z.enum(integrationTypes).optional() }),
    reply: page(kind),
  }),
  test: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/test',
    access: 'store-integrations',
    summary: 'Test a connection; returns the columns of a PMS table with sample values, or the result of the test',
    body: integrationConnection.and(testRecipient).and(untypedTest),
    reply: columns,
    status: 200,
  }),
  testAgain: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/:id/test',
    access: 'update-integrations',
    summary: 'Test a changed connection of an integration; omitted fields keep their value',
    params: idParams,
    body: connectionChange.extend(testRecipient.shape),
    reply: columns,
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/integration',
    access: 'store-integrations',
    summary: 'Create an integration; the signing secret of a webhook is returned only here',
    body: integrationForm,
    reply: one(integration.extend({ secret: z.string().optional() })),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/:id',
    access: 'view-integrations',
    summary: 'One integration',
    params: idParams,
    reply: one(integration.extend({ link: hotelLink.nullable() })),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/integration/:id',
    access: 'update-integrations',
    summary: 'Change an integration',
    params: idParams,
    body: integrationChange,
    reply: one(integration),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/integration/:id',
    access: 'delete-integrations',
    summary: 'Delete an integration; its hotel guests keep access until the end of their stay',
    params: idParams,
    reply: 'none',
  }),
  rotateSecret: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/:id/secret',
    access: 'update-integrations',
    summary: 'Create a new signing secret for a webhook, returned only here; the old one also signs for a day',
    params: idParams,
    reply: one(z.object({ secret: z.string(), old_until: time })),
    status: 200,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/:id/deliveries',
    access: 'view-integrations',
    summary: 'Deliveries of a webhook, newest first; kept for 14 days',
    params: idParams,
    query: z.object({
      ...pageQuery(),
      state: z.enum(['waiting', 'delivered', 'failed']).optional(),
      event: z.enum(webhookEvents).optional(),
    }),
    reply: page(webhookDelivery),
  }),
  resendFailed: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/:id/deliveries/resend',
    access: 'update-integrations',
    summary: 'Send all failed deliveries of a webhook since a time again, each with its id; returns how many',
    params: idParams,
    body: resendForm,
    reply: one(z.object({ count: z.number() })),
    status: 200,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/:id/deliveries/:deliveryId/resend',
    access: 'update-integrations',
    summary: 'Send a delivery again, with the same id',
    params: z.object({ id, deliveryId: id }),
    reply: one(webhookDelivery),
    status: 200,
  }),
  messages: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/:id/messages',
    access: 'view-integrations',
    summary: 'SMS sent through a gateway, newest first; kept for 30 days',
    params: idParams,
    query: z.object({ ...pageQuery(), state: z.enum(['queued', 'sent', 'delivered', 'failed']).optional() }),
    reply: page(smsMessage),
  }),
} as const;
