import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, pageQuery, queryList, text, time } from './fields.ts';
import { logIntervals } from './log-intervals.ts';

/** The types of lines with files in the legal record. */
export const logFileTypes = ['firewall', 'dhcp', 'proxy'] as const;
/** The longest period of the tables of sites, applications and countries, in days. */
export const maxPopularDays = 366;

/** `YYYY-MM-DD`, with `THH:mm` or `THH:mm:ss` (or a blank for the T): a local time of the location. */
const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/, { error: 'date', abort: true })
  .refine(text => isRealTime(text), 'date')
  .transform(text => {
    const [date, clock = ''] = text.split(/[ T]/);
    return clock ? `${date}T${clock.padEnd(8, ':00')}` : (date as string);
  });

/** Refuses times with a valid format that do not exist, such as 30 February, and years before 1970 or after 9000. */
function isRealTime(text: string): boolean {
  const [date = '', clock = '00:00'] = text.split(/[ T]/);
  const at = new Date(`${date}T00:00:00Z`);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return (
    at.getTime() >= 0 &&
    date < '9000' &&
    at.toISOString().startsWith(date) &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 60
  );
}

/** The problems of a sealed file. */
export const fileProblems = ['missing', 'changed'] as const;

/**
 * A day of one type of lines. `download_url` works for ten minutes. `sealed`: its day has ended and it is in the hash chain.
 * `stamped`: it has a time stamp of an authority. `problem`: the result of the daily check.
 */
export const logFile = z.object({
  id,
  log_time: time,
  day: z.string(),
  /** 1, or more if a day occurred again because the clock was set back. */
  part: z.number(),
  type: z.enum(logFileTypes),
  lines: z.number(),
  bytes: z.number(),
  sealed: z.boolean(),
  sha256: z.string().nullable(),
  stamped: z.boolean(),
  problem: z.enum(fileProblems).nullable(),
  download_url: z.string(),
  created_at: time,
});
export type LogFile = z.output<typeof logFile>;

/** The problems that a check of a device's record can find. */
export const recordProblems = [
  'chain_broken',
  'chain_unreadable',
  'chain_shorter',
  'head_differs',
  'signature_wrong',
  'file_missing',
  'file_changed',
  'file_added',
] as const;
/** Why lines of a device were dropped or truncated; see docs/operations.md. */
export const dropReasons = [
  'flood',
  'disk_full',
  'memory_full',
  'device_full',
  'unnamed',
  'unproven',
  'cut',
  'logging_off',
] as const;

/**
 * The state of a device's record. `overflow`: lines of all devices that did not fit into the server's UDP buffers. `unknown_*`:
 * lines and NetFlow packets of unknown devices.
 */
export const logRecord = z.object({
  logging_enabled: z.boolean(),
  last_line_at: time.nullable(),
  sealed_files: z.number(),
  stamped_files: z.number(),
  checked_at: time.nullable(),
  problem: z.object({ what: z.enum(recordProblems), where: z.string() }).nullable(),
  retention_days: z.number(),
  lost: z.array(z.object({ reason: z.enum(dropReasons), lines: z.number(), last_at: time })),
  overflow: z.number(),
  unknown_lines: z.number(),
  unknown_flows: z.number(),
});
export type LogRecordState = z.output<typeof logRecord>;

/** The number of lines from `key_as_string` (a local time of the location) until the next bucket. */
export const logBucket = z.object({ key_as_string: z.string(), doc_count: z.number() });

/** A site, application or country. `recv`, `sent` and `total` are 0 if the router does not report bytes. */
export const popularRow = z.object({
  domain: z.string(),
  recv: z.number(),
  sent: z.number(),
  total: z.number(),
  connections: z.number(),
});
export type PopularRow = z.output<typeof popularRow>;

/** The types of lines. The last two are stored too, but have no files in the list. */
export const logLineTypes = [...logFileTypes, 'dns', 'other'] as const;

/** An event of the live view: new lines (`at` is the server's time), and whether some were skipped. */
export const logTailEvent = z.object({
  lines: z.array(z.object({ at: time, source: z.string(), type: z.enum(logLineTypes), text: z.string() })),
  skipped: z.boolean(),
});
export type LogTailEvent = z.output<typeof logTailEvent>;

const period = { gte: localTime.optional(), lte: localTime.optional() };
const interval = z.enum(logIntervals).default('minute');

const popular = (what: 'website' | 'application' | 'country', summary: string) =>
  endpoint({
    method: 'GET',
    path: `/v1/panel/device/:id/logs/popular_${what}`,
    access: 'view-devices',
    summary,
    params: idParams,
    query: z.object({ interval, ...period }),
    reply: z.object({ data: z.array(popularRow) }),
  });

export const logsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/logs',
    access: 'view-devices',
    summary: 'Log files of a device, newest first; the period is in days of the location',
    params: idParams,
    query: z.object({
      start_at: localTime.optional(),
      end_at: localTime.optional(),
      types: queryList(z.enum(logFileTypes)),
      ...pageQuery(),
    }),
    reply: page(logFile),
  }),
  histogram: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/logs/histogram',
    access: 'view-devices',
    summary: 'Log lines per interval; default period: the last hour, two days or thirty days',
    params: idParams,
    query: z.object({ interval, ...period }),
    reply: z.object({ data: z.array(logBucket) }),
  }),
  popularWebsite: popular(
    'website',
    'The sites that guests used most, by hours (of the last two months) or whole days; default: the last seven',
  ),
  popularApplication: popular('application', 'The applications that guests used most, by hours or whole days'),
  popularCountry: popular(
    'country',
    'The countries that guests connected to most, as ISO 3166-1 codes, by hours or whole days',
  ),
  record: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/logs/record',
    access: 'view-devices',
    summary: 'State of the legal record of a device: its chain, and dropped lines of the last thirty days',
    params: idParams,
    reply: one(logRecord),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/logs/verify',
    access: 'view-devices',
    summary: 'Check the legal record of a device now: its chain, the files of the last week, and that all others exist',
    params: idParams,
    reply: one(logRecord),
    status: 200,
  }),
  tail: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/logs/tail',
    access: 'view-devices',
    summary: 'Server-sent events: the last lines of a device and new ones',
    params: idParams,
    query: z.object({ types: queryList(z.enum(logLineTypes)), search: text.optional() }),
    reply: 'events',
  }),
  download: endpoint({
    method: 'GET',
    path: '/v1/logs/download/:token',
    access: 'public',
    summary: 'A log file, by the signed link of its row',
    params: z.object({ token: z.string().min(1).max(600) }),
    reply: 'file',
  }),
} as const;
