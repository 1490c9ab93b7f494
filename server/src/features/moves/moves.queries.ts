import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The tables have no tenant_id. Everything here runs under withSystem. */

export interface MoveRow {
  tenant: string;
  move_id: string;
  slug: string;
  hosts: string[];
  direction: 'out' | 'in';
  state: 'frozen' | 'moved' | 'left' | 'arriving' | 'arrived';
  panel_url: string | null;
  captive_url: string | null;
}

const columns = sql`tenant, move_id, slug, hosts, direction, state, panel_url, captive_url`;

export const findMove = (tx: Tx, tenant: string) =>
  tx.maybe<MoveRow & Record<string, unknown>>(sql`select ${columns} from tenant_moves where tenant = ${tenant}`);

/** The latest move of a tenant of that name. */
export const findMoveOf = (tx: Tx, slug: string) =>
  tx.maybe<MoveRow & Record<string, unknown>>(sql`
    select ${columns} from tenant_moves where slug = ${slug} order by changed_at desc limit 1`);

/** The move of a tenant that is leaving or has left: of this tenant, or else by the name or host under which it was here. */
export const findLeaving = (tx: Tx, it: { id: string | null; slug: string | null; host: string | null }) =>
  tx.maybe<MoveRow & Record<string, unknown>>(sql`
    select ${columns} from tenant_moves
    where direction = 'out' and (tenant = ${it.id}::uuid or slug = ${it.slug}::text or ${it.host}::text = any(hosts))
    order by tenant = ${it.id}::uuid desc nulls last, changed_at desc limit 1`);

export const anyLeaving = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select from tenant_moves where direction = 'out' limit 1`)) !== undefined;

/** The name of a tenant whose rows are frozen, if there is one. */
export const frozenTenant = async (tx: Tx): Promise<string | undefined> =>
  (
    await tx.maybe<{ slug: string }>(
      sql`select slug from tenant_moves where direction = 'out' and state in ('frozen', 'moved') limit 1`,
    )
  )?.slug;

/**
 * The tenants among `ids` whose rows a job of all tenants may write: they exist, and are not being moved or removed. Counts
 * for the others are dropped, because one frozen tenant must not fail the transaction of all.
 */
export const writableTenants = async (tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.many<{ id: string }>(sql`
        select t.id from tenants t where t.id = any(${[...new Set(ids)]}::uuid[])
          and not exists (select from tenant_moves m where m.tenant = t.id and (m.direction = 'out' or m.state = 'arriving'))`)
    ).map(it => it.id),
  );

/**
 * The addresses that lead to a tenant from outside. They are found also while the tenant is frozen, when its devices are
 * hidden from other queries.
 */
export async function tenantToMove(
  tx: Tx,
  slug: string,
): Promise<{ id: string; slug: string; hosts: string[]; routers: string[] } | undefined> {
  const tenant = await tx.maybe<{ id: string }>(sql`
    select id, set_config('portico.mover', id::text, true) from tenants where slug = ${slug}`);
  return (
    tenant &&
    tx.one<{ id: string; slug: string; hosts: string[]; routers: string[] }>(sql`
      select t.id, t.slug,
        array(select d.host from tenant_domains d where d.tenant_id = t.id and d.verified_at is not null order by 1) as hosts,
        array(select d.nas_identifier from devices d where d.tenant_id = t.id order by 1) as routers
      from tenants t where t.id = ${tenant.id}`)
  );
}

/** Notes that a tenant leaves, or does nothing if it is noted. Processes then look its routers up again, and find none. */
export async function beginLeaving(
  tx: Tx,
  it: { tenant: string; moveId: string; slug: string; hosts: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    insert into tenant_moves (tenant, move_id, slug, hosts, direction, state)
    values (${it.tenant}, ${it.moveId}, ${it.slug}, ${it.hosts}, 'out', 'frozen')
    on conflict (tenant) do update set move_id = excluded.move_id, slug = excluded.slug, hosts = excluded.hosts,
      direction = 'out', state = 'frozen', panel_url = null, captive_url = null, started_at = now(), changed_at = now()
    where tenant_moves.direction = 'in'`);
  await tx.run(sql`delete from moved_routers where tenant = ${it.tenant}`);
  await noteRouters(tx, it.tenant);
  await announceRouters(tx, it.tenant);
}

/** Processes look the routers up again. */
export const announceRouters = (tx: Tx, tenant: string) =>
  tx.many(sql`
    select pg_notify('portico', json_build_object('tenant', tenant, 'location', null, 'topic', 'devices',
      'nas_identifier', nas_identifier)::text) from moved_routers where tenant = ${tenant}
    union all
    select pg_notify('portico', json_build_object('tenant', ${tenant}::uuid, 'location', null, 'topic', topic)::text)
    from unnest('{device-certificates,log-sources}'::text[]) topic`);

export const setMoved = (tx: Tx, tenant: string, to: { panelUrl: string; captiveUrl: string }) =>
  tx.run(sql`
    update tenant_moves set state = 'moved', panel_url = ${to.panelUrl}, captive_url = ${to.captiveUrl}, changed_at = now()
    where tenant = ${tenant} and direction = 'out' and state in ('frozen', 'moved')`);

export const setLeft = (tx: Tx, tenant: string) =>
  tx.run(sql`
    update tenant_moves set state = 'left', changed_at = now() where tenant = ${tenant} and state in ('moved', 'left')`);

export const deleteMove = (tx: Tx, tenant: string) => tx.run(sql`delete from tenant_moves where tenant = ${tenant}`);

/**
 * Notes that a tenant arrives, so that an import that was killed knows which files are its own. If it was here before, its routers
 * and guests are led to where it is until it has arrived.
 */
export const beginArriving = (tx: Tx, it: { tenant: string; moveId: string; slug: string }) =>
  tx.run(sql`
    insert into tenant_moves (tenant, move_id, slug, hosts, direction, state)
    values (${it.tenant}, ${it.moveId}, ${it.slug}, '{}', 'in', 'arriving')
    on conflict (tenant) do update set move_id = excluded.move_id, slug = excluded.slug, state = 'arriving',
      direction = case when tenant_moves.panel_url is null then 'in' else 'out' end, started_at = now(), changed_at = now()
    where tenant_moves.state in ('left', 'arriving')`);

const noteRouters = (tx: Tx, tenant: string) =>
  tx.run(sql`
    insert into moved_routers (nas_identifier, tenant, poll_tokens, brand)
    select d.nas_identifier, d.tenant_id, d.poll_tokens, b.slug from devices d join brands b on b.id = d.brand_id
    where d.tenant_id = ${tenant}
    on conflict (nas_identifier) do update set tenant = excluded.tenant, poll_tokens = excluded.poll_tokens, brand = excluded.brand`);

/** Notes that a tenant that arrived is removed: from now on it is served as little as one that has not arrived yet. */
export async function beginRemoving(tx: Tx, tenant: string): Promise<void> {
  await tx.run(sql`
    update tenant_moves set state = 'arriving', changed_at = now() where tenant = ${tenant} and state = 'arrived'`);
  await tx.many(sql`
    select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', null, 'topic', 'devices',
      'nas_identifier', nas_identifier)::text) from devices where tenant_id = ${tenant}`);
  await announceRouters(tx, tenant);
  await noteRouters(tx, tenant);
}

/** Notes that a tenant that arrived is removed, or did not arrive. If it was here before, it is again where it went then. */
export async function endRemoving(tx: Tx, tenant: string): Promise<void> {
  await tx.run(sql`
    update tenant_moves set direction = 'out', state = 'left', changed_at = now()
    where tenant = ${tenant} and panel_url is not null`);
  await tx.run(sql`delete from tenant_moves where tenant = ${tenant} and panel_url is null`);
}

/** Puts the move back that beginArriving replaced. Its routers are still noted. */
export const restoreLeft = (tx: Tx, it: MoveRow) =>
  tx.run(sql`
    update tenant_moves set move_id = ${it.move_id}, slug = ${it.slug}, hosts = ${it.hosts}, direction = 'out', state = 'left',
      panel_url = ${it.panel_url}, captive_url = ${it.captive_url}, changed_at = now()
    where tenant = ${it.tenant} and state = 'arriving'`);

/** The topic of the change after which processes read the keys of tenants again. */
export const tenantKeysTopic = 'tenant-keys';

const announceKeys = (tx: Tx, tenant: string) =>
  tx.many(sql`
    select pg_notify('portico', json_build_object('tenant', ${tenant}::uuid, 'location', null, 'topic', ${tenantKeysTopic}::text)::text)`);

export const readTenantKeys = (tx: Tx) =>
  tx.many<{ tenant: string; keys: string }>(sql`select tenant, keys from tenant_keys`);

export async function putTenantKeys(tx: Tx, tenant: string, keys: string): Promise<void> {
  await tx.run(sql`
    insert into tenant_keys (tenant, keys) values (${tenant}, ${keys})
    on conflict (tenant) do update set keys = excluded.keys`);
  await announceKeys(tx, tenant);
}

/** Forgets the keys of a tenant that is not here. */
export async function deleteTenantKeys(tx: Tx, tenant: string): Promise<void> {
  await tx.run(sql`delete from tenant_keys where tenant = ${tenant}`);
  await announceKeys(tx, tenant);
}

/** The router of a poll token whose tenant leaves or has left. */
export const findLeavingRouter = (tx: Tx, nas: string, hash: Buffer) =>
  tx.maybe<{ brand: string; state: MoveRow['state']; panel_url: string | null }>(sql`
    select r.brand, m.state, m.panel_url from moved_routers r join tenant_moves m using (tenant)
    where r.nas_identifier = ${nas} and ${hash}::bytea = any(r.poll_tokens) and m.direction = 'out'`);

/** Where the guests of a router go whose tenant has left. */
export const findLeavingPortal = (tx: Tx, nas: string) =>
  tx.maybe<{ state: MoveRow['state']; captive_url: string | null }>(sql`
    select m.state, m.captive_url from moved_routers r join tenant_moves m using (tenant)
    where r.nas_identifier = ${nas} and m.direction = 'out'`);

export const deleteArrivingRouter = (tx: Tx, it: { nas: string; ids: readonly string[] }) =>
  tx.run(sql`
    delete from moved_routers r using tenant_moves m
    where m.tenant = r.tenant and m.direction = 'in' and r.nas_identifier = ${it.nas} and r.id = any(${it.ids}::uuid[])`);
