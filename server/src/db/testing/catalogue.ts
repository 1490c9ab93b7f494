import type { Pool } from '../pool.ts';

/**
 * Everything that makes a schema what it is, as sorted lines that name things by their names (never by order or object id).
 * The list of migrations is left out; partitions are included, as both sides of a comparison have the same months.
 */
export async function catalogue(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    with rel as (
      select c.* from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname not in ('migrations', 'migrations_pkey')
    ), fn as (
      select p.* from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    ), acl as (
      select 'relation ' || relname as what, coalesce(relacl, acldefault('r', relowner)) as acl from rel where relkind in ('r', 'p', 'v', 'm')
      union all
      select 'sequence ' || relname, coalesce(relacl, acldefault('s', relowner)) from rel where relkind = 'S'
      union all
      select format('column %s.%s', relname, attname), attacl from rel join pg_attribute on attrelid = rel.oid where attacl is not null
      union all
      select 'function ' || oid::regprocedure, coalesce(proacl, acldefault('f', proowner)) from fn
      union all
      select 'schema ' || nspname, nspacl from pg_namespace where nspname = 'public'
      union all
      select 'default ' || defaclobjtype::text, defaclacl from pg_default_acl
    )
    select format('extension %s', extname) as line from pg_extension
    union all
    select format('relation %s kind=%s persistence=%s rls=%s forced=%s options=%s owner=%s partition=%s bound=%s',
        relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions, relowner::regrole,
        case relkind when 'p' then pg_get_partkeydef(oid) end, pg_get_expr(relpartbound, oid))
      from rel
    union all
    select format('column %s.%s %s notnull=%s default=%s generated=%s identity=%s collation=%s storage=%s',
        relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attgenerated, attidentity,
        attcollation, attstorage)
      from rel join pg_attribute on attrelid = rel.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = rel.oid and adnum = attnum
      where relkind in ('r', 'p', 'v', 'm', 'c')
    union all
    select format('view %s %s', relname, pg_get_viewdef(oid)) from rel where relkind in ('v', 'm')
    union all
    select format('index %s valid=%s', pg_get_indexdef(i.indexrelid), i.indisvalid) from pg_index i join rel on rel.oid = i.indexrelid
    union all
    select format('constraint %s.%s %s valid=%s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 'migrations'::regclass
    union all
    select format('policy %s.%s command=%s permissive=%s roles=%s using=%s check=%s', polrelid::regclass, polname, polcmd, polpermissive,
        array(select r::regrole::text from unnest(polroles) r order by 1), pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
      from pg_policy
    union all
    select format('function %s owner=%s %s', oid::regprocedure, proowner::regrole, pg_get_functiondef(oid)) from fn where prokind in ('f', 'p')
    union all
    select format('trigger %s enabled=%s', pg_get_triggerdef(t.oid), tgenabled) from pg_trigger t join rel on rel.oid = tgrelid where not tgisinternal
    union all
    select format('sequence %s %s', sequencename, row(start_value, increment_by, min_value, max_value, cycle)) from pg_sequences where schemaname = 'public'
    union all
    select format('type %s %s', t.oid::regtype, typtype) from pg_type t
      where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r', 'm')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
    union all
    select format('grant %s %s to %s', what, privilege_type, case grantee when 0 then 'public' else grantee::regrole::text end)
      from acl cross join lateral aclexplode(acl.acl)
    union all
    select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
      from pg_description where objoid in (select oid from rel union all select oid from fn)
    order by 1`);
  return rows.map(row => row.line);
}
