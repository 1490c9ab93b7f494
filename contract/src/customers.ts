import { z } from 'zod';
import { concerns, customerOrders } from './customer-kinds.ts';
import { endpoint, one, page } from './endpoint.ts';
import { email, expectedEnd, id, idParams, pageQuery, queryFlag, text, time } from './fields.ts';
import { licenseFilters, licenseTerm, location } from './locations.ts';

/**
 * The state of a customer. `ends_at`: the end of its licence or trial; `sms`: the used part of the limit, in percent.
 */
export const customerState = z.object({
  id,
  name: z.string(),
  address: z.string(),
  owner: z.object({ id, name: z.string() }).nullable(),
  is_trial: z.boolean(),
  license_end_at: time.nullable(),
  time_zone: z.string(),
  license_remain: z.number(),
  trial_remain: z.number(),
  ends_at: time,
  suspended_at: time.nullable(),
  devices: z.number(),
  devices_offline: z.number(),
  sms_used: z.number(),
  sms_limit: z.number(),
  sms: z.number(),
});
export type CustomerState = z.output<typeof customerState>;

const overviewFilter = {
  name: text.optional(),
  license: z.enum(licenseFilters).default('all'),
  concern: z.enum(concerns).optional(),
  sort: z.enum(customerOrders).default('ends_at'),
  order: z.enum(['asc', 'desc']).default('asc'),
};

/** Customers to license together, all or none, and the ends that the caller saw, by customer id. */
export const extendForm = licenseTerm.safeExtend({
  ids: z.array(id).min(1).max(1000),
  expected_end_at: z.record(id, expectedEnd).optional(),
});

/**
 * The e-mail address of the reseller or tenant administrator who gets the customer; null: the tenant's administrators
 * together.
 */
export const handOverForm = z.object({ email: email.nullable() });

export const customersApi = {
  overview: endpoint({
    method: 'GET',
    path: '/v1/panel/location/overview',
    access: 'create-location',
    summary: 'Status of customers: ending licences, offline devices, used SMS; `download=true` returns CSV',
    query: z.object({ ...pageQuery(), ...overviewFilter, download: queryFlag.optional() }),
    csvDownload: true,
    reply: page(customerState).extend({
      /** The number of customers of each kind, ignoring the filter. */
      totals: z.object({ customers: z.number(), ending: z.number(), offline: z.number(), sms: z.number() }),
    }),
  }),
  extend: endpoint({
    method: 'POST',
    path: '/v1/panel/location/licenses',
    access: 'create-location',
    summary: 'License several customers until a date or for 1, 2 or 3 more years',
    body: extendForm,
    reply: one(z.object({ licensed: z.number() })),
    status: 200,
  }),
  suspend: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/suspend',
    access: 'create-location',
    summary: 'Suspend a customer: guests cannot sign in, open sessions end, nothing is deleted',
    params: idParams,
    reply: one(location),
    status: 200,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/resume',
    access: 'create-location',
    summary: 'Resume a suspended customer',
    params: idParams,
    reply: one(location),
    status: 200,
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/hand-over',
    access: 'create-location',
    summary: 'Transfer a customer to another reseller or to a tenant administrator',
    params: idParams,
    body: handOverForm,
    reply: 'none',
  }),
} as const;
