import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, locationRef, ofLocations, pageQuery, time } from './fields.ts';
import { existingChoices, importSources, importStates } from './import-kinds.ts';

/** The limits of a file of another program. */
export const foreignFile = { bytes: 20 * 1024 * 1024 } as const;

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
  /** The visitors in the file. */
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
  /** Rows of past sessions, which are not imported. */
  accounting: z.number(),
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
    summary: 'Create the visitors of an import; a job does it and continues after a restart',
    params: idParams,
    reply: one(visitorImport),
    status: 202,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/client-import/:id',
    access: 'store-clients',
    summary: 'Delete an import or stop it; the visitors that it created stay',
    params: idParams,
    reply: 'none',
  }),
} as const;
