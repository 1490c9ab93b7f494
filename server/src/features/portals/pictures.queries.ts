import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface StoredFile {
  readonly file: string;
  readonly content: Buffer;
}

/** Serialises uploads of a tenant, so that its total size is counted correctly. */
export const lockPictures = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('pictures' || current_tenant(), 0))`);

/** The size of the pictures of the tenant and of one location, in bytes. */
export const countPictures = (tx: Tx, locationId: string | null) =>
  tx.one<{ total: number; here: number; locations: number }>(sql`
    select coalesce(sum(bytes), 0)::float8 as total,
      coalesce(sum(bytes) filter (where location_id = ${locationId}), 0)::float8 as here,
      (select count(*) from locations) as locations
    from pictures`);

export const insertPictures = (tx: Tx, locationId: string | null, pictures: readonly StoredFile[]) =>
  tx.run(sql`
    insert into pictures (file, bytes, location_id, content)
    select file, length(content), ${locationId}::uuid, content
    from unnest(${pictures.map(it => it.file)}::text[], ${pictures.map(it => it.content)}::bytea[]) as it (file, content)`);

/** Stores the file of an older version; 0 if the database has it already. */
export const storeFile = (tx: Tx, { file, content }: StoredFile) =>
  tx.run(sql`
    insert into pictures as p (file, bytes, content) values (${file}, ${content.length}, ${content})
    on conflict (tenant_id, file) do update set content = excluded.content, bytes = excluded.bytes where p.content is null`);

export const findPicture = (tx: Tx, file: string) =>
  tx.maybe<{ content: Buffer }>(sql`select content from pictures where file = ${file} and content is not null`);

/** Which of these files the database does not have yet. */
export const findUnstored = (tx: Tx, files: readonly string[]) =>
  tx.many<{ file: string }>(sql`
    select x.file from unnest(${files}::text[]) as x (file)
    where not exists (select from pictures p where p.file = x.file and p.content is not null)`);

/** The files without a row in `pictures`. */
export const findUncounted = (tx: Tx, files: readonly string[]) =>
  tx.many<{ file: string }>(
    sql`select x.file from unnest(${files}::text[]) as x (file) where not exists (select from pictures p where p.file = x.file)`,
  );

/** Deletes rows of pictures that an older version stored as files, and whose file is not in the folder. */
export const deleteMissing = (tx: Tx, files: readonly string[]) =>
  tx.run(
    sql`delete from pictures where content is null and created_at < now() - interval '1 hour' and not file = any(${files})`,
  );

/** Sets `unused_since` of unused pictures and clears it of those in use again. */
export const markUnused = (tx: Tx) =>
  tx.run(sql`
    with used as materialized (select distinct file from used_pictures)
    update pictures p set unused_since = case when u.file is null then now() end
    from pictures q left join used u using (file)
    where q.tenant_id = p.tenant_id and q.file = p.file and (u.file is null) <> (p.unused_since is not null)`);

export const deleteUnused = (tx: Tx, days: number) =>
  tx.many<{ file: string }>(
    sql`delete from pictures where unused_since <= now() - make_interval(days => ${days}) returning file`,
  );

export const listTenantIds = (tx: Tx) =>
  tx.many<{ id: string }>(sql`
    select id from tenants where not exists (select from tenant_moves m where m.tenant = id and (m.direction = 'out' or m.state = 'arriving')) order by id`);
