import type { Brand, BrandModel, Device, DeviceDetail, deviceStatuses } from '@portico/contract/devices.ts';
import { type PaymentSlug, paymentSlugs } from '@portico/contract/integration-names.ts';
import type { Direction, deviceOrders } from '@portico/contract/list-orders.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, contains, countRows, nameOrder, pageOf, textMatches, totalOf } from '#db/list.ts';
import { andDevice, assignments, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { daysLeft, endAfter, trialLeft } from '#features/locations/public.ts';
import { removeFromLimits } from '#features/team/public.ts';
import type { Rows } from '#http/page.ts';
import { serialNumberBrands } from '#routers/drivers.ts';

const brandColumns = sql`b.id, b.slug, b.name, b.logo, b.guides`;

/** A licence or trial of the device or its location runs, and the service is not suspended. */
const subscribed = sql`not out_of_service(d, l)`;
/** Whether device `d` was seen recently and has not been reported as offline since. */
export const online = sql`coalesce(d.last_seen_at > now() - interval '15 minutes' and (d.down_since is null or d.last_seen_at > d.down_since), false)`;

const columns = sql`
  d.id, d.external_id, d.name, d.mac_address, case when b.slug = any(${serialNumberBrands}::text[]) then d.mac_address end as serial_number, d.nas_identifier,
  d.brand_id, json_build_object('id', b.id, 'slug', b.slug, 'name', b.name, 'logo', b.logo, 'guides', b.guides) as brand,
  d.model_id, d.location_id, json_build_object('id', l.id, 'name', l.name) as location,
  case when ${online} then 'online' else 'offline' end as status, d.last_seen_at, d.hotspot_status, d.logging_enabled,
  d.license_end_at, l.time_zone, d.license_end_at is null as is_trial,
  round(extract(epoch from d.trial_end_at - d.created_at) / 86400)::int as trial_day,
  ${trialLeft('d')} as trial_remain,
  coalesce(${daysLeft(sql`d.license_end_at`)}, 0) as license_remain, ${subscribed} as has_mikrolink_subscription,
  d.created_at, d.updated_at, null as deleted_at`;
const from = sql`from devices d join brands b on b.id = d.brand_id join locations l on l.id = d.location_id`;
const within = (scope: Scope): Sql => andDevice(scope, sql`d.location_id`, sql`d.id`);

export interface DeviceFilter {
  page: number;
  per_page: number;
  search?: string | undefined;
  similar?: boolean | undefined;
  brand?: string | undefined;
  status?: (typeof deviceStatuses)[number] | undefined;
  external_id?: string | undefined;
}
interface Order {
  sort: (typeof deviceOrders)[number];
  order: Direction;
}

/**
 * The orders of the list. `seen` has no index: the time changes with nearly every packet, and PostgreSQL would have to
 * write each index of the table with it. A tenant has few devices to sort.
 */
const orders: Record<Order['sort'], Record<Direction, Sql>> = {
  created: { asc: sql`d.id`, desc: sql`d.id desc` },
  name: { asc: sql`${nameOrder(sql`d.name`)}, d.id`, desc: sql`${nameOrder(sql`d.name`)} desc, d.id desc` },
  seen: { asc: sql`d.last_seen_at nulls first, d.id`, desc: sql`d.last_seen_at desc nulls last, d.id desc` },
};

function matches({ search, brand, status, external_id }: DeviceFilter, namedLike = textMatches): Sql {
  const bare = search?.replace(/[^A-Za-z0-9]/g, '');
  return sql`
    ${
      search
        ? sql`and (${namedLike(sql`d.name`, search)} or d.mac_address ilike ${contains(search)}
      or d.nas_identifier ilike ${contains(search)}
      ${bare ? sql`or replace(d.mac_address, ':', '') ilike ${contains(bare)}` : empty})`
        : empty
    }
    ${brand ? sql`and ${brand} in (b.slug, b.id::text)` : empty}
    ${status ? sql`and ${online} = ${status === 'online'}` : empty}
    ${external_id ? sql`and d.external_id = ${external_id}` : empty}`;
}

export async function listDevices(
  tx: Tx,
  scope: Scope,
  filter: DeviceFilter & Order,
  namedLike = textMatches,
): Promise<Rows<Device>> {
  const found = sql`${from} where true ${within(scope)} ${matches(filter, namedLike)}`;
  const page = tx.nested<Device>(
    sql`select ${columns} ${found} order by ${orders[filter.sort][filter.order]} ${pageOf(filter)}`,
  );
  const [rows, total] = await Promise.all([page, totalOf(page, filter, () => countRows(tx, found, filter))]);
  return { rows, total };
}

/** Devices that match a text by name, MAC address, serial number or NAS identifier, for the search of everything. */
export const findDevices = (tx: Tx, scope: Scope, search: string, limit: number, namedLike?: typeof textMatches) =>
  tx.nested<{ id: string; name: string; detail: string; location: { id: string; name: string } }>(sql`
    select d.id, d.name, d.mac_address as detail, l.id as "location.id", l.name as "location.name"
    ${from} where true ${within(scope)}
      ${namedLike ? sql`and ${namedLike(sql`d.name`, search)}` : matches({ page: 1, per_page: limit, search })}
    order by d.id desc limit ${bound(limit)}`);

export interface DeviceRow extends Device {
  secret: string;
  connection: string | null;
  certificate: string | null;
  coa_port: number;
  hotspot_address: string | null;
  polled_at: string | null;
  router_version: string | null;
  wrong_secret: { address: string; at: string } | null;
  model: BrandModel | null;
  user_profile: { id: string; name: string } | null;
  portal_periods: DeviceDetail['portal_periods'];
  location_portal: DeviceDetail['location_portal'];
}

/** The given devices that are within the scope, in the order of their ids. */
export const readDevices = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx.many<DeviceRow>(sql`
    select ${columns}, d.secret, d.connection, d.certificate, d.coa_port, d.hotspot_address, d.polled_at, d.router_version,
      case when d.bad_secret_at > coalesce(greatest(d.auth_seen_at, d.acct_seen_at), '-infinity')
        then json_build_object('address', host(d.bad_secret_address), 'at', d.bad_secret_at) end as wrong_secret,
      case when m.id is not null then json_build_object('id', m.id, 'name', m.name, 'slug', m.slug, 'logo', m.logo) end as model,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as user_profile,
      periods_with_portals(d.tenant_id, d.portal_periods) as portal_periods,
      json_build_object('portal', (select json_build_object('id', o.id, 'name', o.name) from portals o where o.id = l.portal_id),
        'periods', periods_with_portals(l.tenant_id, l.portal_periods)) as location_portal
    ${from} left join brand_models m on m.id = d.model_id left join profiles p on p.id = l.default_profile_id
    where d.id = any(${ids}) ${within(scope)} order by d.id`);

export const findDevice = async (tx: Tx, scope: Scope, id: string): Promise<DeviceRow | undefined> =>
  (await readDevices(tx, scope, [id]))[0];

/**
 * The location of a device within the scope. `lock`: the device cannot change until the transaction ends, but guests sign in at it
 * meanwhile.
 */
export const findPlace = (tx: Tx, scope: Scope, id: string, lock?: 'lock') =>
  tx.maybe<{ location_id: string }>(
    sql`select d.location_id from devices d where d.id = ${id} ${within(scope)} ${lock ? sql`for no key update` : empty}`,
  );

/**
 * Locks the devices with these ids within the scope, in one order, so that two selections cannot deadlock. If they are only changed,
 * guests sign in at them meanwhile.
 */
export const lockDevices = (tx: Tx, scope: Scope, ids: readonly string[], to: 'change' | 'delete') =>
  tx.run(sql`
    select from devices d where d.id = any(${ids}) ${within(scope)} order by d.id
    ${to === 'delete' ? sql`for update` : sql`for no key update`}`);

/** Keeps accounting out of the devices until the transaction ends. Taken before any row, and in the order of account(). */
export const lockRouters = (tx: Tx, ids: readonly string[]) =>
  tx.run(sql`
    select pg_advisory_xact_lock(key)
    from (select lock_key('router', id::text) as key from unnest(${ids}::uuid[]) id order by 1) x`);

/** The devices within the scope with an id of another system, at most two. */
export const ofExternalId = (scope: Scope, externalId: string, locationId: string): Sql => sql`
  select d.id from devices d where d.external_id = ${externalId} and d.location_id = ${locationId} ${within(scope)} limit 2`;

/** True if a device of the location has the id of another system, even one that the caller may not see. */
export const externalIdTaken = async (tx: Tx, locationId: string, externalId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from devices where location_id = ${locationId} and external_id = ${externalId}`)) !==
  undefined;

export interface NewDevice {
  id: string;
  location_id: string;
  brand_id: string;
  model_id: string | null;
  external_id: string | null;
  name: string;
  mac_address: string;
  nas_identifier: string;
  secret: string;
  connection: string | null;
  hotspot_address: string | null;
  coaPort: number;
  trialDays: number;
}

export const insertDevice = (tx: Tx, it: NewDevice) =>
  tx.run(sql`
    insert into devices (id, external_id, location_id, brand_id, model_id, name, mac_address, nas_identifier, secret, connection, hotspot_address,
      coa_port, trial_end_at)
    values (${it.id}, ${it.external_id}, ${it.location_id}, ${it.brand_id}, ${it.model_id}, ${it.name}, ${it.mac_address}, ${it.nas_identifier},
      ${it.secret}, ${it.connection}, ${it.hotspot_address}, ${it.coaPort}, now() + make_interval(days => ${it.trialDays}))`);

export const updateDevice = (tx: Tx, id: string, values: Record<string, unknown>) =>
  tx.run(sql`update devices set ${assignments(values)} where id = ${id}`);

export const licenseDevice = (tx: Tx, id: string, years: number) =>
  tx.run(sql`
    update devices d set updated_at = now(), license_end_at = ${endAfter(sql`d.license_end_at`, sql`l.time_zone`, years)}
    from locations l where d.id = ${id} and l.id = d.location_id`);

export const switchHotspots = (tx: Tx, ids: readonly string[], on: boolean) =>
  tx.run(sql`update devices set ${assignments({ hotspot_status: on })} where id = any(${ids})`);

/**
 * Deletes devices, ends their sessions, and removes them from the device limits of members and invitations. Returns the
 * count.
 */
export async function deleteDevices(tx: Tx, ids: readonly string[]): Promise<number> {
  await tx.run(sql`select close_device_sessions(${ids}::uuid[])`);
  await removeFromLimits(tx, ids);
  return tx.run(sql`delete from devices where id = any(${ids})`);
}

export const macTaken = async (tx: Tx, mac: string, butDevice: string | null): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from devices where mac_address = ${mac} and id is distinct from ${butDevice}`)) !==
  undefined;

export const listBrands = (tx: Tx) => tx.many<Brand>(sql`select ${brandColumns} from brands b order by b.position`);
export const findBrand = (tx: Tx, id: string) =>
  tx.maybe<Brand>(sql`select ${brandColumns} from brands b where b.id = ${id}`);

/** Sorts numbers by value: 60F before 100F. */
const byName = new Intl.Collator('en', { numeric: true });
export const listModels = async (tx: Tx, brandId: string): Promise<BrandModel[]> => {
  const models = await tx.many<BrandModel>(
    sql`select id, name, slug, logo from brand_models where brand_id = ${brandId}`,
  );
  return models.sort((a, b) => byName.compare(a.name, b.name));
};

export const modelOf = async (tx: Tx, modelId: string, brandId: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from brand_models where id = ${modelId} and brand_id = ${brandId}`)) !== undefined;

export const countDevices = async (tx: Tx, scope: Scope): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from devices d where true ${within(scope)}`)).count;

/** The connections of a location to payment providers and OpenID providers, which its guests reach before they are online. */
export const openConnectionsAt = (tx: Tx, locationId: string, limit: number) =>
  tx.many<{ kind: PaymentSlug | 'openid'; connection: string }>(sql`
    select kind, connection from integrations
    where location_id = ${locationId} and kind = any(${[...paymentSlugs, 'openid']}) order by id limit ${limit}`);
