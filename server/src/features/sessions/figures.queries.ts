import sql, { empty } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Totals of days, compared with their sessions. All of it works across tenants. */

export interface Place {
  readonly tenant_id: string;
  readonly tenant: string;
  readonly location_id: string;
  readonly location: string;
  /** On the clocks of the location. */
  readonly yesterday: string;
  /** A day before that at random; null when there is none. */
  readonly older: string | null;
  /** The first day whose sessions are all there; null when none is missing. */
  readonly since: string | null;
}

/** One total that differs: as it is kept, and as its sessions say. */
export interface Difference {
  readonly figure: string;
  readonly device_id: string | null;
  readonly visitor_id: string | null;
  readonly hour: number | null;
  readonly kept_sessions: number;
  readonly kept_seconds: number;
  readonly kept_upload: number;
  readonly kept_download: number;
  readonly sessions: number;
  readonly seconds: number;
  readonly upload: number;
  readonly download: number;
}

export const listPlaces = (tx: Tx, tenant?: string) =>
  tx.many<Place>(sql`
    select l.tenant_id, t.slug as tenant, l.id as location_id, l.name as location, y.day::text as yesterday, s.day::text as since,
      (first.day + floor(random() * (y.day - first.day))::int)::text as older
    from locations l
    join tenants t on t.id = l.tenant_id
    left join figures_since s on s.tenant_id = l.tenant_id and s.location_id = l.id
    cross join lateral (select local_day(l.time_zone) - 1 as day) y
    left join lateral (
      select greatest(s.day, least(
        (select min(d.day) from session_days d where d.tenant_id = l.tenant_id and d.location_id = l.id),
        (select min(h.day) from session_hours h where h.tenant_id = l.tenant_id and h.location_id = l.id))) as day) first
      on first.day < y.day
    ${tenant === undefined ? empty : sql`where t.slug = ${tenant}`}
    order by t.slug, l.name, l.id`);

export const findDifferences = (tx: Tx, place: Place, day: string) =>
  tx.many<Difference>(sql`select * from figure_differences(${place.tenant_id}, ${place.location_id}, ${day}::date)`);

/** Corrects what differs, and answers what it was. */
export const repairFigures = (tx: Tx, place: Pick<Place, 'tenant_id' | 'location_id'>, day: string) =>
  tx.many<Difference>(sql`select * from repair_figures(${place.tenant_id}, ${place.location_id}, ${day}::date)`);

/** A day of a location whose totals have to be computed again. */
export interface Note {
  readonly tenant_id: string;
  readonly location_id: string;
  readonly day: string;
  readonly id: string;
}

export const listNotes = (tx: Tx) =>
  tx.many<Note>(sql`select tenant_id, location_id, day::text as day, id from figures_to_repair order by id`);

/** Removes a note. Answers 0 if another process has it: that one repairs the day. */
export const takeNote = (tx: Tx, note: Note) =>
  tx.run(sql`
    delete from figures_to_repair where (tenant_id, location_id, day, id) in (
      select tenant_id, location_id, day, id from figures_to_repair
      where tenant_id = ${note.tenant_id} and location_id = ${note.location_id} and day = ${note.day}::date and id = ${note.id}
      for update skip locked)`);
