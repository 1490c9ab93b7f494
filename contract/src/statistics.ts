import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, moment, ofLocations, queryFlag, queryList, time } from './fields.ts';

/** The filter of the dashboard: a period (default: the last 7 days), locations and devices. */
export const statisticsQuery = z.object({
  start_at: moment.optional(),
  end_at: moment.optional(),
  ...ofLocations(),
  deviceIds: queryList(id),
  /** Also returns the preceding period with the same number of calendar days. */
  compare: queryFlag.optional(),
});
export type StatisticsQuery = z.output<typeof statisticsQuery>;

/** The metric cards. `onlines`: now; `failed_logins` and `returned_users`: in the period; the others: in total. */
export const overview = z.object({
  returned_users: z.number(),
  onlines: z.number(),
  failed_logins: z.number(),
  devices: z.number(),
  users: z.number(),
  locations: z.number(),
  notifications: z.number(),
  integrations: z.number(),
  /** The previous period, if requested. */
  previous: z.object({ returned_users: z.number(), failed_logins: z.number() }).optional(),
});
export type Overview = z.output<typeof overview>;

/** A chart: a value for each label; `meta.total` is their sum. */
const chart = z.object({
  data: z.object({ labels: z.array(z.string()), values: z.array(z.number()) }),
  meta: z.object({ total: z.number() }),
});

/** Visits and bytes by hour, day or month in the time zone of the location. */
export const visits = z.object({
  data: z.object({
    bucket: z.enum(['hour', 'day', 'month']),
    labels: z.array(z.string()),
    values: z.array(z.number()),
    upload: z.array(z.number()),
    download: z.array(z.number()),
    /** The buckets of the previous period, if requested. */
    previous: z
      .object({ values: z.array(z.number()), upload: z.array(z.number()), download: z.array(z.number()) })
      .optional(),
  }),
  meta: z.object({ total: z.number(), previous_total: z.number().optional() }),
});
export type Visits = z.output<typeof visits>['data'];

/** Something that is wrong now and that the caller can mend. */
export const currentProblem = z.object({
  kind: z.enum([
    'failed_logins',
    'demo',
    'licence',
    'controller',
    'log_silence',
    'integration',
    'backlog',
    'certificate',
    'sms',
  ]),
  /** The id of the integration for `integration`, of the device for `controller`, `log_silence`, `backlog` and `certificate`, else of the location. */
  id,
  name: z.string(),
  /** Null for a webhook of the whole tenant. */
  location: z.object({ id, name: z.string() }).nullable(),
  /** Failed sign-ins of the last hour, commands that wait for the router, messages that are left, or days until the demo or licence ends (0: it has ended). */
  amount: z.number().nullable(),
  /** When the failure began. Else the last log line, the oldest waiting command, the end of the certificate, demo or licence, or the last attempt of the integration. */
  since: time.nullable(),
});
export type CurrentProblem = z.output<typeof currentProblem>;

/** The steps from an empty location to its first guest, each a fact. */
export const setupFacts = z.object({
  location: z.boolean(),
  /** The first device; null: none was added. */
  device: z.object({ id, name: z.string() }).nullable(),
  /** A router was heard from. */
  connected: z.boolean(),
  portal: z.boolean(),
  /** A visitor or a batch of vouchers exists. */
  visitor: z.boolean(),
  /** A guest was online. */
  online: z.boolean(),
});
export type SetupFacts = z.output<typeof setupFacts>;

/** Visits by hour in the last 24 hours, the day before, and a week before. */
export const lastDay = z.object({
  labels: z.array(z.string()),
  values: z.array(z.number()),
  yesterday: z.array(z.number()),
  last_week: z.array(z.number()),
});
export type LastDay = z.output<typeof lastDay>;

/** How one location is now. `service`: whether its licence lets guests sign in. */
export const locationHealth = z.object({
  location: z.object({ id, name: z.string() }),
  service: z.enum(['running', 'ended', 'suspended']),
  devices: z.number(),
  offline: z.number(),
  /** Devices that never connected. */
  waiting: z.number(),
  problems: z.number(),
  onlines: z.number(),
});
export type LocationHealth = z.output<typeof locationHealth>;

const get = <const P extends string, const R extends z.ZodType>(path: P, summary: string, reply: R) =>
  endpoint({
    method: 'GET',
    path: `/v1/panel/statistics/${path}`,
    access: 'view-basic-stats',
    summary,
    query: statisticsQuery,
    reply,
  });

export const statisticsApi = {
  overview: get('overview', 'The metric cards of the dashboard', z.object({ data: overview })),
  platforms: get('platforms', 'Sign-ins by platform', chart),
  browsers: get('browsers', 'Sign-ins by browser', chart),
  devices: get('devices', 'Sign-ins by kind of device', chart),
  visits: get('visits', 'Visits over time', visits),
  problems: endpoint({
    method: 'GET',
    path: '/v1/panel/statistics/problems',
    access: 'view-basic-stats',
    summary: 'Current problems, the worst first; at most 20',
    query: z.object(ofLocations()),
    reply: z.object({ data: z.array(currentProblem) }),
  }),
  lastDay: endpoint({
    method: 'GET',
    path: '/v1/panel/statistics/last-day',
    access: 'view-basic-stats',
    summary: 'Visits by hour in the last 24 hours, the day before, and a week before',
    query: z.object({ ...ofLocations(), deviceIds: queryList(id) }),
    reply: z.object({ data: lastDay }),
  }),
  health: endpoint({
    method: 'GET',
    path: '/v1/panel/statistics/locations',
    access: 'view-basic-stats',
    summary: 'Health of each location, the worst first; at most 20',
    query: z.object(ofLocations()),
    reply: z.object({
      data: z.array(locationHealth),
      /** `well`: locations without anything wrong. */
      meta: z.object({ total: z.number(), well: z.number() }),
    }),
  }),
  setup: endpoint({
    method: 'GET',
    path: '/v1/panel/statistics/setup',
    access: 'view-basic-stats',
    summary: 'Which steps from an empty location to its first guest are done',
    query: z.object(ofLocations()),
    reply: z.object({ data: setupFacts }),
  }),
} as const;
