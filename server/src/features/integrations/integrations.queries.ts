import type { FieldMapping } from '@portico/contract/integrations.ts';
import sql, { empty } from 'sql-template-tag';
import { contains } from '#db/list.ts';
import { andLocation, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** As stored: `connection` is encrypted. */
export interface IntegrationRow {
  id: string;
  name: string;
  location_id: string;
  location: { id: string; name: string };
  kind: string;
  connection: string;
  fields: FieldMapping;
  last_worked_at: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

const columns = sql`i.id, i.name, i.location_id, json_build_object('id', l.id, 'name', l.name) as location, i.kind, i.connection, i.fields,
  i.last_worked_at, i.last_error, i.created_at, i.updated_at`;
const from = sql`from integrations i join locations l on l.id = i.location_id`;

export async function listIntegrations(
  tx: Tx,
  scope: Scope,
  filter: { page: number; per_page: number; search?: string | undefined },
): Promise<Rows<IntegrationRow>> {
  const where = sql`where true ${andLocation(scope, sql`i.location_id`)} ${filter.search ? sql`and i.name ilike ${contains(filter.search)}` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<IntegrationRow>(
      sql`select ${columns} ${from} ${where} order by i.id desc limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}`,
    ),
    tx.one<{ total: number }>(sql`select count(*) as total from integrations i ${where}`),
  ]);
  return { rows, total };
}

export const findIntegration = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<IntegrationRow>(sql`select ${columns} ${from} where i.id = ${id} ${andLocation(scope, sql`i.location_id`)}`);

export const insertIntegration = (
  tx: Tx,
  it: { id: string; locationId: string; kind: string; name: string; connection: string; fields: FieldMapping },
) =>
  tx.run(sql`insert into integrations (id, location_id, kind, name, connection, fields)
    values (${it.id}, ${it.locationId}, ${it.kind}, ${it.name}, ${it.connection}, ${it.fields})`);

export const updateIntegration = (
  tx: Tx,
  id: string,
  values: { name?: string; connection?: string | undefined; fields?: FieldMapping | undefined },
) => tx.run(sql`update integrations set ${assignments(values)} where id = ${id}`);

/** Its guests stay until the end of their stay; nobody would end it otherwise. */
export const deleteIntegration = (tx: Tx, scope: Scope, id: string) =>
  tx.run(sql`delete from integrations i where i.id = ${id} ${andLocation(scope, sql`i.location_id`)}`);

/** The next integrations to read, across tenants; each is taken by one process. */
export const claimDue = (tx: Tx, everySeconds: number) =>
  tx.many<IntegrationRow & { tenant_id: string; time_zone: string }>(sql`
    with due as (
      select tenant_id, id from integrations where last_tried_at is null or last_tried_at < now() - make_interval(secs => ${everySeconds})
      order by last_tried_at nulls first limit 10 for update skip locked),
    taken as (update integrations i set last_tried_at = now() from due where i.tenant_id = due.tenant_id and i.id = due.id returning i.*)
    select i.*, json_build_object('id', l.id, 'name', l.name) as location, l.time_zone
    from taken i join locations l on l.tenant_id = i.tenant_id and l.id = i.location_id`);

export const markWorked = (tx: Tx, id: string) =>
  tx.run(sql`update integrations set last_worked_at = now(), last_error = null where id = ${id}`);

/** Answers whether this is news: a failing integration is told of once. */
export const markFailed = async (tx: Tx, id: string, words: string): Promise<boolean> =>
  (await tx.maybe(sql`
    with earlier as (select last_error from integrations where id = ${id}),
      noted as (update integrations set last_error = ${words} where id = ${id})
    select 1 from earlier where last_error is null`)) !== undefined;

export interface Stay {
  readonly external_id: string;
  readonly name: string;
  readonly room_number: string;
  /** Encrypted. */
  readonly birth_date: string | null;
  readonly citizen_id: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Local times of the location. */
  readonly starts: string;
  readonly ends: string;
}

const unlimited = { is_active: false, option: 'day', value: 1 };
const unlimitedSpeed = { is_active: false, option: 'mbps', value: 1 };

/** Guests appear, move rooms and change their dates as the other system says; who is no longer there has left. */
export async function applyStays(
  tx: Tx,
  it: { integrationId: string; locationId: string; zone: string },
  stays: readonly Stay[],
): Promise<void> {
  await tx.run(sql`
    insert into visitors (id, location_id, integration_id, external_id, provider_type, name, room_number, birth_date, citizen_id, email, phone,
      session_start_at, session_end_at, session_duration, max_upload, max_download)
    select new_id(), ${it.locationId}, ${it.integrationId}, s.external_id, 'room-number', s.name, s.room_number, s.birth_date, s.citizen_id, s.email, s.phone,
      s.starts::timestamp at time zone ${it.zone}, s.ends::timestamp at time zone ${it.zone}, ${unlimited}, ${unlimitedSpeed}, ${unlimitedSpeed}
    from jsonb_to_recordset(${JSON.stringify(stays)}::jsonb)
      as s(external_id text, name text, room_number text, birth_date text, citizen_id text, email text, phone text, starts text, ends text)
    on conflict (tenant_id, integration_id, external_id) where integration_id is not null do update set
      name = excluded.name, room_number = excluded.room_number, email = coalesce(excluded.email, visitors.email),
      phone = coalesce(excluded.phone, visitors.phone),
      session_start_at = excluded.session_start_at, session_end_at = excluded.session_end_at, updated_at = now()
    where (visitors.name, visitors.room_number, visitors.email, visitors.phone, visitors.session_start_at, visitors.session_end_at)
      is distinct from (excluded.name, excluded.room_number, excluded.email, excluded.phone, excluded.session_start_at, excluded.session_end_at)`);
  await tx.run(sql`
    update visitors set session_end_at = now(), updated_at = now()
    where integration_id = ${it.integrationId} and session_end_at > now() and external_id <> all(${stays.map(stay => stay.external_id)})`);
}
