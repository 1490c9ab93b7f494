import { sessionSkips } from '@portico/contract/import-kinds.ts';
import type { ImportRow } from '@portico/contract/imports.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import type { Rights } from '#http/rights.ts';

export interface StoredGroup {
  readonly name: string;
  readonly visitors: number;
  readonly hints: readonly string[];
  readonly profile_id: string | null;
}

export interface Findings {
  readonly unknown: readonly { readonly name: string; readonly count: number; readonly line: number }[];
  readonly passwords: readonly { readonly form: string; readonly count: number }[];
  readonly own_limits: number;
  readonly accounting: number;
}

/** The findings in a file of past sessions. */
export interface SessionReport {
  first_at: string | null;
  last_at: string | null;
  without_mac: number;
  skipped: Partial<Record<(typeof sessionSkips)[number], { count: number; line: number | null }>>;
  problem: Problem | null;
}

export interface Problem {
  readonly key: string;
  readonly values?: Record<string, unknown>;
}

export type StoredImport = ImportRow & {
  readonly existing: 'keep' | 'update';
  readonly groups: readonly StoredGroup[];
  /** The findings in past sessions are empty until the file is read. */
  readonly findings: Partial<Findings & SessionReport>;
  readonly bytes: number | null;
  readonly received: number;
};

const rowColumns = sql`i.id, i.location_id, l.id as "location.id", l.name as "location.name", i.source, i.file_name, i.state, i.total,
  i.created, i.updated, i.skipped, i.created_at, i.finished_at`;

export async function listImports(
  tx: Tx,
  scope: Scope,
  at: { page: number; per_page: number },
): Promise<Rows<ImportRow>> {
  const found = sql`from visitor_imports i join locations l on l.id = i.location_id where true ${andLocation(scope, sql`i.location_id`)}`;
  const [rows, total] = await Promise.all([
    tx.nested<ImportRow>(sql`select ${rowColumns} ${found} order by i.id desc ${pageOf(at)}`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}

/** `lock` keeps the job and other requests from changing the import until the transaction ends. */
export async function findImport(tx: Tx, scope: Scope, id: string, lock?: 'lock'): Promise<StoredImport | undefined> {
  const [row] = await tx.nested<StoredImport>(sql`
    select ${rowColumns}, i.existing, i.groups, i.findings, i.bytes::float8 as bytes, i.received::float8 as received
    from visitor_imports i join locations l on l.id = i.location_id
    where i.id = ${id} ${andLocation(scope, sql`i.location_id`)} ${lock ? sql`for update of i` : empty}`);
  return row;
}

/** Its rows follow, and then its plan. */
export const insertImport = (
  tx: Tx,
  it: Pick<StoredImport, 'id' | 'location_id' | 'source' | 'file_name' | 'total' | 'groups'> & {
    findings: Findings;
    created_by: string;
  },
) =>
  tx.run(sql`
    insert into visitor_imports (id, location_id, source, file_name, state, groups, findings, total, created_by)
    values (${it.id}, ${it.location_id}, ${it.source}, ${it.file_name}, 'reading', ${JSON.stringify(it.groups)}::jsonb,
      ${JSON.stringify(it.findings)}::jsonb, ${it.total}, ${it.created_by})`);

export interface NewRow {
  readonly n: number;
  readonly line: number;
  readonly username: string;
  readonly data: string | null;
  readonly problem: Problem | null;
}

export const insertRows = (tx: Tx, importId: string, rows: readonly NewRow[]) =>
  tx.run(sql`
    insert into visitor_import_rows (import_id, n, line, username, data, problem)
    select ${importId}::uuid, n, line, username, data, problem
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(n int, line int, username text, data text, problem jsonb)`);

/** Counts the rows with a problem, with a user name that exists, and new ones. */
export const countPlan = (tx: Tx, importId: string) =>
  tx.one<{ bad: number; existing: number; fresh: number }>(sql`
    select count(*) filter (where r.problem is not null) as bad,
      count(*) filter (where r.problem is null and v.id is not null) as existing,
      count(*) filter (where r.problem is null and v.id is null) as fresh
    from visitor_import_rows r
    join visitor_imports i on i.id = r.import_id
    left join visitors v on v.location_id = i.location_id and v.username = r.username
    where r.import_id = ${importId}`);

/** The effects that an import would have if it were started. */
export interface Plan {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
}

/** Keeps the plan for the list of imports and for webhooks, which are told of the first one. */
export const keepPlan = (tx: Tx, id: string, { created, updated, skipped }: Plan) =>
  tx.run(sql`
    update visitor_imports set state = 'ready', created = ${created}, updated = ${updated}, skipped = ${skipped} where id = ${id}`);

/** The first rows that are not imported. */
export const listProblems = (tx: Tx, importId: string, limit: number) =>
  tx.many<{ line: number; username: string; problem: Problem }>(sql`
    select r.line, r.username, coalesce(r.problem, '{"key": "import_exists"}') as problem
    from visitor_import_rows r
    join visitor_imports i on i.id = r.import_id
    left join visitors v on v.location_id = i.location_id and v.username = r.username
    where r.import_id = ${importId}
      and (r.problem is not null or (not r.done and i.existing = 'keep' and v.id is not null))
    order by r.n limit ${limit}`);

export const updateImport = (tx: Tx, id: string, it: { existing: 'keep' | 'update'; groups: readonly StoredGroup[] }) =>
  tx.run(sql`
    update visitor_imports set existing = ${it.existing}, groups = ${JSON.stringify(it.groups)}::jsonb where id = ${id}`);

/** With the rights of whoever starts it, which the job reads again before each chunk. */
export const startImport = (tx: Tx, id: string, by: { userId: string; rights: Rights }) =>
  tx.run(sql`update visitor_imports set state = 'running', started_by = ${by.userId}, rights = ${JSON.stringify(by.rights)}::jsonb, started_at = now(), progress_at = now(), created = 0, updated = 0,
    -- Lines of past sessions that were skipped when the file was read.
    skipped = case when source = 'sessions'
      then total - coalesce((select sum(c.rows) from session_import_chunks c where c.import_id = visitor_imports.id), 0)::int else 0 end
    where id = ${id}`);

export const deleteImport = (tx: Tx, id: string) => tx.run(sql`delete from visitor_imports where id = ${id}`);

/** The imports that are under way, across tenants, those first that wait longest. */
export const runningImports = (tx: Tx) =>
  tx.many<{ tenant_id: string; id: string }>(sql`
    select tenant_id, id from visitor_imports where state = 'running' order by progress_at`);

/** Locks a running import, unless another process works on it. */
export const takeRunning = (tx: Tx, id: string) =>
  tx.maybe<{
    location_id: string;
    source: ImportRow['source'];
    existing: 'keep' | 'update';
    groups: StoredGroup[];
    /** Null: it was started before an update of the product. */
    started_by: string | null;
    rights: Rights | null;
    /** A reseller started it whose customer the location is not any more. */
    handed_over: boolean;
  }>(sql`
    select location_id, source, existing, groups, started_by, rights, rights->>'role' = 'reseller' and not exists (
        select from locations l where l.id = location_id and l.owner_id = started_by) as handed_over
    from visitor_imports where id = ${id} and state = 'running'
    for update skip locked`);

/** The next rows that are not done. */
export const nextRows = (tx: Tx, importId: string, limit: number) =>
  tx.many<{ n: number; username: string; data: string | null; problem: Problem | null }>(sql`
    select n, username, data, problem from visitor_import_rows
    where import_id = ${importId} and not done order by n limit ${limit}`);

type Outcome = 'created' | 'updated' | 'skipped';

/** Counts what became of rows. Only skipped ones are kept, without what they said: the report lists them. */
export async function finishRows(
  tx: Tx,
  importId: string,
  rows: readonly { n: number; outcome: Outcome; problem: Problem | null }[],
): Promise<void> {
  const skipped = rows.filter(it => it.outcome === 'skipped');
  const gone = rows.filter(it => it.outcome !== 'skipped').map(it => it.n);
  const created = rows.filter(it => it.outcome === 'created').length;
  await tx.run(sql`
    update visitor_import_rows r set done = true, problem = x.problem, data = null
    from jsonb_to_recordset(${JSON.stringify(skipped)}::jsonb) as x(n int, problem jsonb)
    where r.import_id = ${importId} and r.n = x.n`);
  await tx.run(sql`delete from visitor_import_rows where import_id = ${importId} and n = any(${gone}::int[])`);
  await tx.run(sql`
    update visitor_imports set created = created + ${created}, updated = updated + ${gone.length - created},
      skipped = skipped + ${skipped.length}, progress_at = now()
    where id = ${importId}`);
}

/** Ends an import in the middle. What it created stays; the rest of the file is forgotten. */
export async function stopImport(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from visitor_import_rows where import_id = ${id} and not done`);
  await tx.run(sql`delete from session_import_chunks where import_id = ${id}`);
  await tx.run(sql`update visitor_imports set state = 'stopped', finished_at = now() where id = ${id}`);
}

export const finishImport = (tx: Tx, id: string) =>
  tx.run(sql`update visitor_imports set state = 'done', finished_at = now() where id = ${id}`);

/**
 * Deletes imports that were not started within a week, files a day after their last part or the failure of their reading, and
 * finished ones after 30 days, across tenants. An import whose sessions are here stays, because they are deleted with it.
 */
export const forgetOld = (tx: Tx): Promise<number> => {
  const old: Sql = sql`case when state in ('uploading', 'failed') then progress_at < now() - interval '1 day'
    when state = 'ready' then created_at < now() - interval '7 days'
    else created_at < now() - interval '30 days' and not exists (
      select from imported_sessions s where s.tenant_id = visitor_imports.tenant_id and s.import_id = visitor_imports.id) end`;
  return tx.run(
    sql`delete from visitor_imports where created_at < now() - interval '1 day' and state not in ('running', 'reading', 'deleting') and ${old}`,
  );
};
