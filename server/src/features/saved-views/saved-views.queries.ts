import type { SavedView, SavedViewForm } from '@portico/contract/saved-views.ts';
import type { ViewList } from '@portico/contract/view-kinds.ts';
import sql from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

/** The owner of the view: a user, a location, or the tenant when both are null. */
export interface Owner {
  readonly userId: string | null;
  readonly locationId: string | null;
}

export interface ViewRow extends Omit<SavedView, 'may_change'> {
  location_id: string | null;
}

const columns = sql`w.id, w.list, w.name, w.search, w.hidden, w.location_id,
  case when w.user_id is not null then 'own' when w.location_id is not null then 'location' else 'tenant' end as shared`;

/** The user's own views of a list, those of the active location and those of the tenant. */
export const listViews = (tx: Tx, list: ViewList, userId: string, activeLocationId: string | null) =>
  tx.many<ViewRow>(sql`
    select ${columns} from saved_views w
    where w.list = ${list} and (w.user_id = ${userId}
      or w.user_id is null and (w.location_id is null or w.location_id = ${activeLocationId}))
    order by ${nameOrder(sql`w.name`)}, w.id`);

/** A view that the user can see. Locks it. */
export const findView = (tx: Tx, id: string, userId: string, reach: Scope) =>
  tx.maybe<ViewRow>(sql`
    select ${columns} from saved_views w
    where w.id = ${id} and (w.user_id = ${userId}
      or w.user_id is null and (w.location_id is null or true ${andLocation(reach, sql`w.location_id`)}))
    for update of w`);

const ownedBy = ({ userId, locationId }: Owner) =>
  sql`w.user_id is not distinct from ${userId} and w.location_id is not distinct from ${locationId}`;

/** The view of this owner with this name, and how many others of the list it has. One change of an owner's views at a time. */
export async function lockName(tx: Tx, owner: Owner, list: ViewList, name: string) {
  const key = `portico.saved-views ${list} ${owner.userId ?? owner.locationId ?? 'tenant'}`;
  await tx.run(sql`select pg_advisory_xact_lock(hashtext(${key}))`);
  const before = await tx.maybe<ViewRow>(
    sql`select ${columns} from saved_views w where w.list = ${list} and ${ownedBy(owner)} and w.name = ${name}`,
  );
  const { others } = await tx.one<{ others: number }>(
    sql`select count(*) as others from saved_views w where w.list = ${list} and ${ownedBy(owner)} and w.name <> ${name}`,
  );
  return { before, others };
}

export const insertView = (tx: Tx, id: string, { userId, locationId }: Owner, it: SavedViewForm) =>
  tx.run(sql`
    insert into saved_views (id, list, user_id, location_id, name, search, hidden)
    values (${id}, ${it.list}, ${userId}, ${locationId}, ${it.name}, ${JSON.stringify(it.search)}::jsonb, ${it.hidden})`);

export const replaceView = (tx: Tx, id: string, it: SavedViewForm) =>
  tx.run(sql`
    update saved_views set search = ${JSON.stringify(it.search)}::jsonb, hidden = ${it.hidden}, updated_at = now() where id = ${id}`);

export const deleteView = (tx: Tx, id: string) => tx.run(sql`delete from saved_views where id = ${id}`);
