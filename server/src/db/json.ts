import sql, { type Sql } from 'sql-template-tag';

/** A time within JSON that the database builds, ending in Z as all times do. */
export const jsonTime = (column: Sql): Sql => sql`replace(to_jsonb(${column}) #>> '{}', '+00:00', 'Z')`;
