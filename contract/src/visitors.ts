import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  durationLimit,
  email,
  id,
  idParams,
  isLocalTime,
  locationRef,
  momentOrLocal,
  name,
  notDeleted,
  pageQuery,
  phone,
  queryFlag,
  queryList,
  speedLimit,
  text,
  time,
  together,
  unlessEmpty,
  unlessNothing,
  whole,
} from './fields.ts';
import { providerSlugs } from './locations.ts';
import { unseenSigns } from './visible-text.ts';
import { locationServices, visitorOrders, visitorStates } from './visitor-kinds.ts';

/** The sign-in methods of visitors that an operator can create. Visitors of other methods are created on the portal. */
export const visitorProviders = ['citizen-id', 'room-number', 'username'] as const;

export const oldestBirthYear = 1930;

/** Whether a text is a Turkish identity number: eleven digits, the last two of which are check digits. */
export function isCitizenId(text: string): boolean {
  if (!/^[1-9]\d{10}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = (from: number, to: number, step: number) => {
    let total = 0;
    for (let i = from; i <= to; i += step) total += digits[i]!;
    return total;
  };
  const tenth = (((sum(0, 8, 2) * 7 - sum(1, 7, 2)) % 10) + 10) % 10;
  return digits[9] === tenth && digits[10] === sum(0, 9, 1) % 10;
}

/** Whether a date exists and is between 1930 and today. */
export function isBirthDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= oldestBirthYear &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getTime() <= Date.now()
  );
}

/** Empty text becomes null; other text must match the schema. */
const orEmpty = (schema: z.ZodType<string, string>, message: 'email' | 'phone_format') =>
  z
    .string()
    .trim()
    .refine(value => value === '' || schema.safeParse(value).success, message)
    .nullish()
    .transform(value => (value ? schema.parse(value) : null));

/** A time. Without a zone it is a local time of the location; a space may replace the T. */
const instant = unlessEmpty(momentOrLocal.nullish());
/** A username, composed (NFC) as keyboards and phones type it: macOS and its files take accents apart. */
const userName = (max: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .max(max)
    .refine(typed => !unseenSigns.test(typed), 'plain_text');

const fields = {
  name,
  /** The identity number of a `citizen-id` visitor. */
  provider_id: z.string().trim().max(64).nullish(),
  room_number: z.string().trim().max(32).nullish(),
  /** An identity or passport number that a `room-number` visitor may be asked for. */
  idNumber: z.string().trim().max(64).nullish(),
  username: unlessEmpty(userName(64).min(1).nullish()),
  password: unlessEmpty(z.string().min(4).max(64).nullish()),
  birth_day: unlessEmpty(whole(1, 31).nullish()),
  birth_month: unlessEmpty(whole(1, 12).nullish()),
  birth_year: unlessEmpty(whole(oldestBirthYear, 9999).nullish()),
  email: orEmpty(email, 'email'),
  phone: orEmpty(phone, 'phone_format'),
  profile_id: unlessEmpty(id.nullish()),
  special_profile: z.boolean().default(false),
  shared_user: unlessNothing(whole(1, 1000).default(1)),
  session_duration: durationLimit,
  max_upload: speedLimit,
  max_download: speedLimit,
  session_start_at: instant,
  session_end_at: instant,
  /** The number of paid days; used only with a paid session profile. */
  total_paid_day: unlessNothing(whole(0, 3650).default(0)),
};

const birthFields = ['birth_day', 'birth_month', 'birth_year'] as const;

type Issues = { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => unknown };
type Checked = {
  provider_type: string;
  provider_id?: string | null | undefined;
  room_number?: string | null | undefined;
  username?: string | null | undefined;
  password?: string | null | undefined;
  birth_day?: number | null | undefined;
  birth_month?: number | null | undefined;
  birth_year?: number | null | undefined;
  session_start_at?: string | null | undefined;
  session_end_at?: string | null | undefined;
};

/** A local time and a moment are compared by the server, which knows the location's zone. */
function checkPeriod({ session_start_at: start, session_end_at: end }: Checked, context: Issues): void {
  if (start && end && isLocalTime(start) === isLocalTime(end) && Date.parse(end) <= Date.parse(start))
    context.addIssue({ code: 'custom', path: ['session_end_at'], message: 'after_start' });
}

/** The fields that a sign-in method needs. Those of a new visitor include the password. */
function askForProvider(it: Checked, context: Issues, isNew = false): void {
  const needed: Record<string, (keyof Checked)[]> = {
    username: isNew ? ['username', 'password'] : ['username'],
    'citizen-id': ['provider_id', ...birthFields],
    'room-number': ['room_number', ...birthFields],
  };
  for (const field of needed[it.provider_type] ?? [])
    if (it[field] === undefined || it[field] === null || it[field] === '')
      context.addIssue({ code: 'custom', path: [field], message: 'required' });
}

function checkProvider(it: Checked, context: Issues): void {
  if (it.provider_type !== 'citizen-id' && it.provider_type !== 'room-number') return;
  const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (it.provider_type === 'citizen-id' && it.provider_id && !isCitizenId(it.provider_id))
    complain('provider_id', 'citizen_id_format');
  const { birth_day: day, birth_month: month, birth_year: year } = it;
  if (year && year > new Date().getUTCFullYear()) complain('birth_year', 'date');
  else if (day && month && year && !isBirthDate(year, month, day)) complain('birth_day', 'date');
}

export const visitorForm = z
  .object({ ...fields, location_id: locationRef, provider_type: z.enum(visitorProviders) })
  .superRefine((it, context) => askForProvider(it, context, true), together)
  .superRefine((it, context) => {
    checkProvider(it, context);
    checkPeriod(it, context);
  });
export type VisitorForm = z.output<typeof visitorForm>;

/** The fields of a visitor, each by itself. */
export const visitorFields = z.object({ ...fields, provider_type: z.enum(providerSlugs) });
/** The form of a visitor in the panel. An omitted password is kept, and so is the method of a visitor from the portal. */
export const visitorUpdate = visitorFields.superRefine((it, context) => {
  askForProvider(it, context);
  checkProvider(it, context);
  checkPeriod(it, context);
});
export type VisitorUpdate = z.output<typeof visitorUpdate>;
const visitorChange = changeOf(visitorFields.extend({ location_id: locationRef }));
export type VisitorChange = z.output<typeof visitorChange>;

const providerFields = [
  'provider_type',
  'provider_id',
  'room_number',
  'idNumber',
  'username',
  'password',
  'birth_day',
  'birth_month',
  'birth_year',
] as const;
/** Whether a change affects the sign-in of the visitor. */
export const changesProvider = (change: VisitorChange): boolean =>
  providerFields.some(field => change[field] !== undefined);

/** Checks the rules that concern several fields, if the change affects them. */
export function changeProblems(after: VisitorUpdate, change: VisitorChange): { field: string; message: string }[] {
  const problems: { field: string; message: string }[] = [];
  const context: Issues = { addIssue: ({ path, message }) => problems.push({ field: path.join('.'), message }) };
  if (changesProvider(change)) {
    askForProvider(after, context);
    checkProvider(after, context);
  }
  if (change.session_start_at !== undefined || change.session_end_at !== undefined) checkPeriod(after, context);
  return problems;
}

/** `username` is a prefix. The visitors are named `name` and a number. */
export const bulkForm = z
  .object({
    location_id: locationRef,
    total_user: whole(1, 1000),
    provider_type: z.literal('username'),
    name: z.string().trim().min(1).max(100),
    username: userName(32).nullish(),
    profile_id: fields.profile_id,
    special_profile: fields.special_profile,
    shared_user: fields.shared_user,
    session_duration: durationLimit,
    max_upload: speedLimit,
    max_download: speedLimit,
    session_start_at: instant,
    session_end_at: instant,
    total_paid_day: fields.total_paid_day,
  })
  .superRefine(checkPeriod);
export type BulkForm = z.output<typeof bulkForm>;

/** `sign_in_url`: the URL in the QR code of the visitor's card, valid until the password changes. */
export const credentials = z.object({
  id,
  name: z.string(),
  username: z.string(),
  password: z.string(),
  sign_in_url: z.string(),
});
export type Credentials = z.output<typeof credentials>;

const named = z.object({ id, name: z.string() });

/** Visitors that were selected in a list. */
export const selection = z.array(id).min(1).max(1000);

/**
 * A visitor in lists. `provider_id`: the identifier of the sign-in method. Identity numbers are masked for users who may not
 * update visitors.
 */
export const visitorRow = z.object({
  id,
  name: z.string(),
  provider_type: z.enum(providerSlugs),
  provider_id: z.string().nullable(),
  username: z.string().nullable(),
  room_number: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  profile_id: id.nullable(),
  profile: named.nullable(),
  device: named.nullable(),
  location_id: id,
  location: named,
  /** Whether the location serves guests. Where it does not, none of its visitors can sign in. */
  service: z.enum(locationServices),
  session_start_at: time.nullable(),
  session_end_at: time.nullable(),
  special_profile: z.boolean(),
  blocked: z.boolean(),
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
  /** When name, contact and identity were erased after their retention. */
  erased_at: time.nullable(),
});
export type VisitorRow = z.output<typeof visitorRow>;

const listedVisitor = visitorRow.extend({
  /** Sessions that are open now. */
  devices_online: z.number(),
  /** The last day with a session, on the clocks of its location: `2026-11-20`. Null: never online. */
  last_seen_on: z.string().nullable(),
});
export type ListedVisitor = z.output<typeof listedVisitor>;

/** One visitor. Identity number, birth date and password are complete only for users who may update visitors. */
export const visitor = visitorRow.extend({
  location: named.extend({ time_zone: z.string() }),
  idNumber: z.string().nullable(),
  birth_date: z.string().nullable(),
  birth_day: z.number().nullable(),
  birth_month: z.number().nullable(),
  birth_year: z.number().nullable(),
  shared_user: z.number(),
  session_duration: durationLimit,
  max_upload: speedLimit,
  max_download: speedLimit,
  total_paid_day: z.number(),
  /** The guest is in a hotel that takes charges to the room. */
  charges_room: z.boolean(),
  /** The end of the paid days; null until they begin. */
  paid_end_at: time.nullable(),
  /**
   * The remaining time and limits, at least 0; null is unlimited. All devices of the visitor share those of today and in total.
   * `seconds` and `bytes` are the least of all limits. While the visitor is online, its guest sees the same. The limits per
   * session of its `devices` count then too: the least of them. `seconds` is 0 while the visitor is paused,
   * and before access begins the time from `session_start_at` to the end.
   */
  balance: z.object({
    seconds: z.number().nullable(),
    seconds_today: z.number().nullable(),
    seconds_total: z.number().nullable(),
    bytes: z.number().nullable(),
    bytes_today: z.number().nullable(),
    bytes_total: z.number().nullable(),
    devices: z.number(),
  }),
  password: z.string().nullable().optional(),
  sign_in_url: z.string().nullable().optional(),
});
export type Visitor = z.output<typeof visitor>;

/** `warnings` tells of sent days that were not sold: only a paid session profile sells days. */
const savedVisitor = one(visitor).extend({ warnings: z.array(z.string()) });

const filter = {
  search: text.optional(),
  /** Another name of `search`, for older callers. */
  query: text.optional(),
  /** If nothing matches the search: at most 50 visitors that are spelled like it. */
  similar: queryFlag.optional(),
  providers: queryList(z.enum(providerSlugs)),
  location_id: id.optional(),
  /** Whether a visitor may sign in now: `later` begins in the future, `over` has ended, `closed` is at a location that serves no guests. */
  status: queryList(z.enum(visitorStates)),
};

const order = {
  /** `until`: by the end of the access; visitors without an end are the last. */
  sort: z.enum(visitorOrders).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
};

export const visitorsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/client',
    access: 'view-clients',
    summary: 'Visitors',
    query: z.object({ ...pageQuery(), ...filter, ...order }),
    reply: page(listedVisitor),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/client',
    access: 'store-clients',
    summary: 'Create a visitor',
    body: visitorForm,
    reply: savedVisitor,
    status: 201,
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/v1/panel/client/bulk',
    access: 'store-clients',
    summary: 'Create several visitors with generated passwords',
    body: bulkForm,
    reply: z.object({ data: z.array(credentials), warnings: z.array(z.string()) }),
    status: 201,
  }),
  export: endpoint({
    method: 'POST',
    path: '/v1/panel/client/export',
    access: 'view-clients',
    summary: 'All visitors that match a filter, as user-list.csv; the filter is in the query or the body',
    query: z.object(filter),
    /** `ids`: only these of them. */
    body: z.object({ ...filter, ids: selection.optional() }),
    reply: 'csv',
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/client/:id',
    access: 'view-clients',
    summary: 'One visitor',
    params: idParams,
    reply: one(visitor),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/client/:id',
    access: 'update-clients',
    summary: 'Change a visitor',
    params: idParams,
    body: visitorChange,
    reply: savedVisitor,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/client/:id',
    access: 'delete-clients',
    summary: 'Delete a visitor',
    params: idParams,
    reply: 'none',
  }),
} as const;
