import { type IntegrationSlug, pmsSlugs } from '@portico/contract/integration-names.ts';
import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import type { FieldMapping } from '@portico/contract/integrations.ts';
import sql, { empty } from 'sql-template-tag';
import { textMatches } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** A row of `integrations`. Its `connection` is encrypted. */
export interface IntegrationRow {
  id: string;
  name: string;
  /** Null: a webhook of the whole tenant. */
  location_id: string | null;
  location: { id: string; name: string } | null;
  kind: IntegrationSlug;
  connection: string;
  fields: FieldMapping | null;
  last_worked_at: string | null;
  /** The current problem, and the message of the remote side. */
  problem: IntegrationProblem | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: null;
}

const columns = sql`i.id, i.name, i.location_id, case when l.id is not null then json_build_object('id', l.id, 'name', l.name) end as location, i.kind, i.connection, i.fields,
  i.last_worked_at, i.problem, i.last_error, i.created_at, i.updated_at, null as deleted_at`;
const from = sql`from integrations i left join locations l on l.id = i.location_id`;

export async function listIntegrations(
  tx: Tx,
  scope: Scope,
  filter: { page: number; per_page: number; search?: string | undefined },
): Promise<Rows<IntegrationRow>> {
  const where = sql`where true ${andLocation(scope, sql`i.location_id`)} ${filter.search ? sql`and ${textMatches(sql`i.name`, filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<IntegrationRow>(
      sql`select ${columns} ${from} ${where} order by i.id desc limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`,
    ),
    tx.one<{ total: number }>(sql`select count(*) as total from integrations i ${where}`),
  ]);
  return { rows, total };
}

export const findIntegration = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<IntegrationRow>(
    sql`select ${columns} ${from} where i.id = ${id} ${andLocation(scope, sql`i.location_id`)} ${lock ? sql`for update of i` : empty}`,
  );

export const insertIntegration = (
  tx: Tx,
  it: {
    id: string;
    locationId: string | null;
    kind: string;
    name: string;
    connection: string;
    fields: FieldMapping | null;
    events: readonly string[];
    label: string | null;
  },
) =>
  tx.run(sql`insert into integrations (id, location_id, kind, name, connection, fields, events, label)
    values (${it.id}, ${it.locationId}, ${it.kind}, ${it.name}, ${it.connection}, ${it.fields}, ${it.events}, ${it.label})`);

/** The location's integration of these kinds. A location has at most one of them. */
export const findOfKind = (tx: Tx, locationId: string, kinds: readonly string[]) =>
  tx.maybe<{ id: string; name: string; location_id: string; kind: IntegrationSlug; connection: string }>(sql`
    select id, name, location_id, kind, connection from integrations
    where location_id = ${locationId} and kind = any(${kinds}) limit 1`);

/** The tenant's own integration of these kinds. It has at most one of them. */
export const findOfTenant = (tx: Tx, kinds: readonly string[]) =>
  tx.maybe<{ id: string; name: string; location_id: null; kind: IntegrationSlug; connection: string }>(sql`
    select id, name, location_id, kind, connection from integrations
    where location_id is null and kind = any(${kinds}) limit 1`);

export const findOpenid = (tx: Tx, locationId: string, id: string) =>
  tx.maybe<{ id: string; name: string; location_id: string; connection: string }>(sql`
    select id, name, location_id, connection from integrations
    where id = ${id} and location_id = ${locationId} and kind = 'openid'`);

export const updateIntegration = (
  tx: Tx,
  id: string,
  values: {
    name?: string | undefined;
    connection?: string | undefined;
    fields?: FieldMapping | undefined;
    events?: readonly string[] | undefined;
    label?: string | undefined;
    last_tried_at?: null;
  },
) =>
  tx.run(sql`
    update integrations set ${assignments(values)}
      ${
        // A webhook that did not ask for the event before is not told of what was before.
        values.events
          ? sql`, expired_until = case when 'visitor.expired' = any(events) then expired_until else now() end`
          : empty
      }
    where id = ${id}`);

/** Guests of the hotel keep their access until the end of their stay. */
export const deleteIntegration = (tx: Tx, scope: Scope, id: string) =>
  tx.run(sql`delete from integrations i where i.id = ${id} ${andLocation(scope, sql`i.location_id`)}`);

export interface DueRead {
  tenant_id: string;
  id: string;
  name: string;
  location_id: string;
  connection: string;
  fields: FieldMapping;
  last_read_empty: boolean;
  time_zone: string;
  /** When the read was begun, with all its digits. */
  try_at: string;
}

const claimed = sql`taken.tenant_id, taken.id, taken.name, taken.location_id, taken.connection, taken.fields, taken.last_read_empty,
  taken.last_tried_at::text as try_at, l.time_zone
  from taken join locations l on l.tenant_id = taken.tenant_id and l.id = taken.location_id`;

/** The next hotels to read, across tenants. Each is claimed by one process. */
export const claimDue = (tx: Tx, everySeconds: number) =>
  tx.many<DueRead>(sql`
    with due as (
      select tenant_id, id from integrations
      where kind = any(${[...pmsSlugs]}) and (last_tried_at is null or last_tried_at < now() - make_interval(secs => ${everySeconds}))
      order by last_tried_at nulls first limit 10 for update skip locked),
    taken as (update integrations i set last_tried_at = now() from due where i.tenant_id = due.tenant_id and i.id = due.id returning i.*)
    select ${claimed}`);

/** The hotels of a location that were not read in the last seconds. */
export const claimOfLocation = (tx: Tx, locationId: string, seconds: number) =>
  tx.many<DueRead>(sql`
    with taken as (
      update integrations set last_tried_at = now()
      where location_id = ${locationId} and kind = any(${[...pmsSlugs]})
        and (last_tried_at is null or last_tried_at < now() - make_interval(secs => ${seconds}))
      returning *)
    select ${claimed}`);

/** Whether a hotel of a location is being read, in any process. `own` are the reads that the caller has begun. */
export const isBeingRead = async (
  tx: Tx,
  locationId: string,
  own: readonly Pick<DueRead, 'id'>[] = [],
): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from integrations
    where location_id = ${locationId} and kind = any(${[...pmsSlugs]}) and last_tried_at > coalesce(last_ended_try, '-infinity')
      and id <> all(${own.map(it => it.id)}::uuid[])`)) !== undefined;

/** A slow read may end after one that was begun later. */
export const markEnded = (tx: Tx, it: DueRead) =>
  tx.run(
    sql`update integrations set last_ended_try = greatest(last_ended_try, ${it.try_at}::timestamptz) where id = ${it.id}`,
  );

/** Returns whether it was failing before. */
export const markWorked = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`
    with earlier as (select problem from integrations where id = ${id} for update),
      noted as (update integrations set last_worked_at = now(), problem = null, last_error = null where id = ${id})
    select 1 from earlier where problem is not null`)) !== undefined;

/** Returns false if it was failing already, because a failure is notified once. */
export const markFailed = async (tx: Tx, id: string, it: { code: string; message: string }): Promise<boolean> =>
  (await tx.maybe(sql`
    with earlier as (select problem from integrations where id = ${id} for update),
      noted as (update integrations set problem = ${it.code}, last_error = ${it.message} where id = ${id})
    select 1 from earlier where problem is null`)) !== undefined;

export const setReadEmpty = (tx: Tx, id: string, isEmpty: boolean) =>
  tx.run(sql`update integrations set last_read_empty = ${isEmpty} where id = ${id} and last_read_empty <> ${isEmpty}`);
