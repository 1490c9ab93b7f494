import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

/**
 * Which locations and devices an actor may see: all of the tenant, those it owns (a reseller's customers), or named
 * ones. `deviceIds` null: every device of them.
 */
export type Scope =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'owned'; readonly userId: string; readonly locationIds?: readonly string[] }
  | { readonly kind: 'locations'; readonly ids: readonly string[]; readonly deviceIds: readonly string[] | null };

/** The part of a scope that lies in these locations. */
export function inLocations(scope: Scope, ids: readonly string[]): Scope {
  if (scope.kind === 'tenant') return { kind: 'locations', ids, deviceIds: null };
  if (scope.kind === 'owned') return { ...scope, locationIds: ids };
  return { ...scope, ids: scope.ids.filter(it => ids.includes(it)) };
}

/** `and` + the condition that a location column lies within the scope. */
export function andLocation(scope: Scope, column: Sql): Sql {
  if (scope.kind === 'tenant') return empty;
  if (scope.kind === 'owned')
    return sql`${scope.locationIds ? isAmong(column, scope.locationIds) : empty}
      and ${column} in (select l.id from locations l where l.owner_id = ${scope.userId})`;
  return isAmong(column, scope.ids);
}

// One location is the most common case. With an equality the index also gives the order.
const isAmong = (column: Sql, ids: readonly string[]): Sql =>
  ids.length === 1 ? sql`and ${column} = ${ids[0]}` : sql`and ${column} = any(${ids})`;

/** The locations of a scope as an SQL array; null for all. */
export function placesOf(scope: Scope): Sql {
  if (scope.kind === 'tenant') return sql`null`;
  if (scope.kind === 'locations') return sql`${scope.ids}`;
  return sql`array(select l.id from locations l where true ${andLocation(scope, sql`l.id`)})`;
}

/** `and` + the condition that a location column and a device column lie within the scope. */
export function andDevice(scope: Scope, location: Sql, device: Sql): Sql {
  const devices = scope.kind === 'locations' && scope.deviceIds ? sql`and ${device} = any(${scope.deviceIds})` : empty;
  return sql`${andLocation(scope, location)} ${devices}`;
}

/** The columns and values of a new row; keys become column names, so they must be the code's own. */
export const newRow = (values: Record<string, unknown>): Sql =>
  sql`(${join(Object.keys(values).map(column => raw(column)))}) values (${join(Object.values(values))})`;

/** The `set` list of an update from the keys present in `values`. Keys become column names, so they must be the code's own. */
export function assignments(values: Record<string, unknown>): Sql {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return join([...entries.map(([column, value]) => sql`${raw(column)} = ${value}`), sql`updated_at = now()`]);
}
