import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import {
  id,
  idParams,
  locationRef,
  moment,
  ofLocations,
  pageQuery,
  queryFlag,
  queryList,
  text,
  time,
  whole,
} from './fields.ts';
import {
  existingChoices,
  foreignFile,
  importSources,
  importStates,
  sessionFile,
  sessionSkips,
} from './import-kinds.ts';
import { guestFilters } from './sessions.ts';

/** A group or profile of the other program. The empty name stands for the visitors without one. */
const group = z.object({
  name: z.string(),
  visitors: z.number(),
  /** The attributes of the group in the file, such as `Mikrotik-Rate-Limit 2M/2M`. */
  hints: z.array(z.string()),
  /** The session profile that its visitors get. */
  profile_id: id.nullable(),
});

export const importRow = z.object({
  id,
  location_id: id,
  location: z.object({ id, name: z.string() }),
  source: z.enum(importSources),
  file_name: z.string(),
  state: z.enum(importStates),
  /** The visitors or past sessions in the file. */
  total: z.number(),
  /** While the state is `ready`: what would happen. Later: what has happened so far. */
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  created_at: time,
  finished_at: time.nullable(),
});
export type ImportRow = z.output<typeof importRow>;

export const visitorImport = importRow.extend({
  existing: z.enum(existingChoices),
  groups: z.array(group),
  /** Attributes and columns that visitors do not have, with their number and the first line. */
  unknown: z.array(z.object({ name: z.string(), count: z.number(), line: z.number() })),
  /** How passwords are stored in the file. Hashes are replaced at the first sign-in. */
  passwords: z.array(z.object({ form: z.string(), count: z.number() })),
  /** Visitors with limits of their own. These apply where no session profile is chosen. */
  own_limits: z.number(),
  /** Rows of past sessions. They are imported from a file of their own. */
  accounting: z.number(),
  /** Only an import of past sessions has it. */
  sessions: z
    .object({
      /** The size of the file, and how much of it has arrived. */
      bytes: z.number(),
      received: z.number(),
      /** When the first and the last session to import began. */
      first_at: time.nullable(),
      last_at: time.nullable(),
      /** Sessions without a valid MAC address. They are imported without one. */
      without_mac: z.number(),
      /** The sessions that are not imported, by reason; `line` is the first one in the file. */
      skipped: z.array(
        z.object({ reason: z.enum(sessionSkips), message: z.string(), count: z.number(), line: z.number().nullable() }),
      ),
      /** Why the file could not be read. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** The first 200 visitors that are skipped. */
  problems: z.array(z.object({ line: z.number(), username: z.string(), message: z.string() })),
});
export type VisitorImport = z.output<typeof visitorImport>;

export const importChoices = z.object({
  existing: z.enum(existingChoices),
  /** Groups that are left out keep their session profile. */
  groups: z.array(z.object({ name: z.string().max(100), profile_id: id.nullable() })).max(201),
});
export type ImportChoices = z.output<typeof importChoices>;

/** A past session as another program wrote it. It is no evidence, and counts for no limit and no figure. */
export const importedSession = z.object({
  id,
  location: z.object({ id, name: z.string() }),
  user_name: z.string(),
  client: z.object({ id, name: z.string() }).nullable(),
  client_mac: z.string().nullable(),
  client_ip: z.string().nullable(),
  /** The address of the router in the other program. */
  nas: z.string(),
  started_at: time,
  ended_at: time,
  seconds: z.number(),
  upload: z.number(),
  download: z.number(),
  terminate_cause: z.string(),
});
export type ImportedSession = z.output<typeof importedSession>;

export const importsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/client-import',
    access: 'store-clients',
    summary: 'Imports from other programs, the newest first',
    query: z.object({ ...pageQuery(), ...ofLocations() }),
    reply: page(importRow),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/client-import',
    access: 'store-clients',
    summary: 'Read a file of another program and report what an import would do',
    description:
      'Takes SQL dumps of FreeRADIUS, daloRADIUS and RADIUSdesk, exports of MikroTik User Manager 6 and 7, and CSV files of these and of UniFi vouchers. Creates no visitor until the import is started.',
    upload: { maxBytes: foreignFile.bytes },
    body: z.object({ location_id: z.preprocess(value => value || undefined, locationRef) }),
    reply: one(visitorImport),
    status: 201,
  }),
  createSessions: endpoint({
    method: 'POST',
    path: '/v1/panel/client-import/sessions',
    access: 'store-clients',
    summary: 'Announce a file of past sessions (radacct), which is then sent in parts',
    description:
      'Not for members who are limited to some devices. Takes an SQL dump of the table `radacct` of FreeRADIUS, daloRADIUS or RADIUSdesk. Send the parts in order; then a job reads the file, and the state becomes `ready` with a report. Nothing is imported until the import is started.',
    body: z.object({
      location_id: locationRef,
      file_name: text.min(1).max(200),
      bytes: whole(1, sessionFile.bytes),
    }),
    reply: one(visitorImport),
    status: 201,
  }),
  addPart: endpoint({
    method: 'POST',
    path: '/v1/panel/client-import/:id/part',
    access: 'store-clients',
    summary: 'Send the next part of a file of past sessions, at most 8 MB',
    description:
      '`starts_at` is the place of its first byte in the file. It must be what `received` says; after an interruption go on from there.',
    params: idParams,
    upload: { maxBytes: sessionFile.partBytes },
    body: z.object({ starts_at: whole(0, sessionFile.bytes) }),
    reply: one(visitorImport),
    status: 200,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/v1/panel/reports/imported-sessions',
    access: 'view-basic-stats',
    summary:
      'Past sessions that were imported from another program, by default the newest first; with download=true as CSV',
    description:
      'Not for members who are limited to some devices: a past session belongs to no device. A search finds the first 1,000.',
    query: z.object({
      /** Part of the visitor's name or of the username. Needs the permission view-clients. */
      search: text.optional(),
      ...guestFilters,
      /** Two times in the time zone of the location, inclusive; default: all. */
      session_date: queryList(moment),
      ...ofLocations(),
      download: queryFlag.optional(),
      sort: z.enum(['started']).default('started'),
      order: z.enum(['asc', 'desc']).default('desc'),
      ...pageQuery(),
    }),
    csvDownload: true,
    reply: page(importedSession),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/client-import/:id',
    access: 'store-clients',
    summary: 'One import: its report, or its progress and result',
    params: idParams,
    reply: one(visitorImport),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/client-import/:id',
    access: 'store-clients',
    summary: 'Choose the session profiles, and what happens to visitors that exist (`update` needs `update-clients`)',
    params: idParams,
    body: importChoices,
    reply: one(visitorImport),
  }),
  start: endpoint({
    method: 'POST',
    path: '/v1/panel/client-import/:id/start',
    access: 'store-clients',
    summary: 'Create the visitors or past sessions of an import; a job does it and continues after a restart',
    params: idParams,
    reply: one(visitorImport),
    status: 202,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/client-import/:id',
    access: 'store-clients',
    summary: 'Delete an import or stop it. Visitors that it created stay, past sessions go with it',
    description:
      'Thousands of past sessions are deleted by a job; until then the state is `deleting`. Members who are limited to some devices may not delete an import of past sessions.',
    params: idParams,
    reply: 'none',
  }),
} as const;
