import type { Tx } from '#db/tenant.ts';
import { tellLater } from '#db/webhook-event.ts';
import { keepsRights } from '#features/audit/public.ts';
import { profilesByName } from '#features/profiles/public.ts';
import { type ImportedVisitor, insertForeign, updateForeign } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { sealHash } from '#lib/guest-password.ts';
import { newId } from '#lib/ids.ts';
import type { Draft } from './draft.ts';
import * as queries from './imports.queries.ts';
import {
  deletePastSessions,
  forgetOldSessions,
  readLargeFiles,
  readSmallFiles,
} from './sessions/session-imports.jobs.ts';
import { importList } from './sessions/session-imports.queries.ts';

const chunk = 500;
const off = { is_active: false, value: 1 } as const;
const noLimits = {
  shared_user: 1,
  session_duration: { ...off, option: 'day' },
  max_upload: { ...off, option: 'mbps' },
  max_download: { ...off, option: 'mbps' },
};

/** A row as a visitor; undefined if it cannot be read any more. */
function visitorOf(
  { secrets }: App,
  row: { username: string; data: string | null },
  profiles: ReadonlyMap<string, string | null>,
): ImportedVisitor | undefined {
  const text = row.data === null ? undefined : secrets.read(row.data);
  if (text === undefined) return undefined;
  const { password, limits, group, ...draft } = JSON.parse(text) as Draft & { group: string };
  const profileId = profiles.get(group) ?? null;
  // The limits of a chosen session profile win: a visitor has either these or its own.
  const own = profileId === null ? limits : null;
  return {
    ...draft,
    ...(own ?? noLimits),
    id: newId(),
    username: row.username,
    password: 'clear' in password ? secrets.encrypt(password.clear) : sealHash(secrets, password.hash),
    profile_id: profileId,
    special_profile: own !== null,
  };
}

async function importSessions(app: App, tx: Tx, importId: string, locationId: string): Promise<boolean> {
  const days = app.settings.LOG_RETENTION_DAYS;
  if (await importList(tx, { importId, locationId, days })) return true;
  await queries.finishImport(tx, importId);
  return false;
}

/** Creates the visitors, and updates those that exist if that was chosen. Returns the user names of both. */
async function store(
  tx: Tx,
  { location_id: locationId, existing }: { location_id: string; existing: 'keep' | 'update' },
  visitors: readonly ImportedVisitor[],
) {
  const created = await insertForeign(tx, locationId, visitors);
  const others = visitors.filter(it => !created.has(it.username));
  const updated = existing === 'update' ? await updateForeign(tx, locationId, others) : new Set<string>();
  return { created, updated };
}

type Running = NonNullable<Awaited<ReturnType<typeof queries.takeRunning>>>;

/** A large import takes minutes, in which whoever started it may be removed or lose rights. */
const mayGoOn = async (tx: Tx, { started_by: by, rights, handed_over: handedOver }: Running): Promise<boolean> =>
  by === null || rights === null || (!handedOver && (await keepsRights(tx, by, rights)));

/** Imports the next rows in one transaction. Returns whether others follow. */
async function importChunk(app: App, tx: Tx, id: string): Promise<boolean> {
  const running = await queries.takeRunning(tx, id);
  if (!running) return false;
  if (!(await mayGoOn(tx, running))) {
    await queries.stopImport(tx, id);
    return false;
  }
  if (running.source === 'sessions') return importSessions(app, tx, id, running.location_id);
  const rows = await queries.nextRows(tx, id, chunk);
  if (rows.length === 0) {
    await queries.finishImport(tx, id);
    return false;
  }
  const known = new Set([...(await profilesByName(tx, running.location_id)).values()].map(it => it.id));
  const profiles = new Map(
    running.groups.map(it => [it.name, it.profile_id && known.has(it.profile_id) ? it.profile_id : null]),
  );
  const visitors = new Map<string, ImportedVisitor>();
  for (const row of rows) {
    const visitor = row.problem ? undefined : visitorOf(app, row, profiles);
    if (visitor) visitors.set(row.username, visitor);
  }
  const { created, updated } = await tellLater(tx, () => store(tx, running, [...visitors.values()]));
  await queries.finishRows(
    tx,
    id,
    rows.map(({ n, username, problem }) => {
      if (created.has(username)) return { n, outcome: 'created', problem: null };
      if (updated.has(username)) return { n, outcome: 'updated', problem: null };
      const reason = { key: running.existing === 'update' ? 'import_same' : 'import_exists' };
      return { n, outcome: 'skipped', problem: problem ?? reason };
    }),
  );
  return true;
}

/**
 * Each chunk is a transaction, so an import that was interrupted continues after the last one. Imports take turns, also those
 * that begin meanwhile: a large one keeps no other one out.
 */
async function runImports(app: App): Promise<void> {
  const failures = new Map<string, unknown>();
  for (let some = true; some; ) {
    some = false;
    for (const { tenant_id: tenantId, id } of await app.db.withSystem(queries.runningImports)) {
      // The others go on, and this one does at the next run.
      if (failures.has(id)) continue;
      try {
        if (await app.db.withTenant(tenantId, tx => importChunk(app, tx, id))) some = true;
      } catch (error) {
        failures.set(id, error);
      }
    }
  }
  for (const error of failures.values()) throw error;
}

/** Jobs of imports. They are idempotent. */
export const importJobs = [
  { name: 'run imports', everyMs: 2000, run: runImports },
  {
    name: 'forget old imports',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(queries.forgetOld);
    },
  },
  { name: 'read past sessions', everyMs: 2000, run: readSmallFiles },
  { name: 'read large files of past sessions', everyMs: 2000, run: readLargeFiles },
  { name: 'delete past sessions', everyMs: 2000, run: deletePastSessions },
  { name: 'forget imported sessions', everyMs: 6 * 3_600_000, erases: true as const, run: forgetOldSessions },
];
