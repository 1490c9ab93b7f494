import sql from 'sql-template-tag';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { within } from './visitors.queries.ts';

interface NamedVisitor {
  id: string;
  name: string;
  username: string;
  location: { id: string; name: string };
}

/** The visitors with these user names in a scope, the newest first; at most 1,000. */
export const visitorsNamed = (tx: Tx, scope: Scope, usernames: string[]) =>
  tx.many<NamedVisitor>(sql`
    select v.id, v.name, v.username, json_build_object('id', l.id, 'name', l.name) as location
    from locations l cross join lateral (
      select v.* from visitors v where v.location_id = l.id and v.username = any(${usernames}) ${within(scope)} limit 1000) v
    where true ${andLocation(scope, sql`l.id`)} order by v.id desc limit 1000`);
