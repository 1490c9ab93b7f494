import type { AdvertisementOptions } from '@portico/contract/advertisements.ts';
import type { MarketingKey } from '@portico/contract/consent-kinds.ts';
import type { AgreementKind, PortalView } from '@portico/contract/guests.ts';
import type { PerLanguage, PortalMessages } from '@portico/contract/portal-messages.ts';
import type { PortalPageForm } from '@portico/contract/portal-page.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import type { Rule } from '@portico/contract/rules.ts';
import type { VisitorRefusal } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { adOptionsJson } from '#features/portals/public.ts';
import { brandsWith, serialNumberBrands } from '#routers/drivers.ts';
import type { Place } from './sign-in/methods/phone.ts';

export interface PortalRow {
  id: string;
  name: string;
  styles: Partial<PortalStyles>;
  providers: Provider[];
  messages: Partial<PortalMessages>;
  agreements: Partial<Record<AgreementKind | MarketingKey, PerLanguage>>;
  /** Null in a draft from before there was a page content. */
  page: PortalPageForm | null;
  /** In the order in which they apply. */
  rules: Pick<Rule, 'id' | 'state' | 'action' | 'survey_id' | 'url' | 'urls' | 'language'>[];
  /** Width and height of its pictures, by file. */
  sizes: PortalView['sizes'];
  ads: ({ id: string; name: string; type: 'image' | 'embed' | 'video'; images: string[] } & AdvertisementOptions)[];
  /** The sign-in methods that the location may use; absent or empty allows all. */
  available?: string[];
  /** Identifies this content. Absent in previews. */
  revision?: string;
}

/** The SELECT list item for a portal's content, as JSON of the row `p`. */
export const portalJson = sql`json_build_object('id', p.id, 'name', p.name, 'styles', p.styles, 'providers', p.providers,
  'messages', p.messages, 'agreements', p.agreements, 'page', p.page,
  'sizes', picture_sizes(p.tenant_id, concat(p.styles, p.messages, p.agreements, p.page)),
  'rules', coalesce((select json_agg(json_build_object('id', r.id, 'state', r.state, 'action', r.action, 'survey_id', r.survey_id,
    'url', r.url, 'urls', r.urls, 'language', r.language) order by r.position, r.id) from portal_rules r where r.portal_id = p.id), '[]'),
  'ads', coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'images', a.images, ${adOptionsJson}) order by a.id)
    from portal_ads a where a.portal_id = p.id), '[]'))`;

/** How guests of a location get in beside the portal's methods. */
export interface WaysIn {
  /** OpenID providers that guests may sign in with. */
  social: { id: string; label: string }[];
  /** Guests can buy access. */
  sells: boolean;
  /** Guests can have bought access that still runs, also where none is on sale any more. */
  restores: boolean;
}

/** The current state of a device as one guest meets it; the portal's content is read separately and cached. */
export interface ContextRow extends WaysIn {
  /** Index of the query in its batch, from 1. */
  n: number;
  device_id: string;
  nas_identifier: string;
  hotspot_address: string | null;
  /** Without a hotspot address: the hosts of its sign-in page that were learned; null while they are being learned. */
  login_hosts: string[] | null;
  /** The address from which the router's own requests come. */
  public_address: string | null;
  brand: string;
  /** Only of brands that are identified by it. */
  serial_number: string | null;
  /** Only of brands whose driver uses it; encrypted. */
  secret: string | null;
  location_id: string;
  location_name: string;
  /** Tells the country of phone numbers. */
  place: Place;
  tenant_slug: string;
  /** Why all guests, or this device, are refused without a sign-in. */
  refused: VisitorRefusal | null;
  /** This device needs no sign-in. */
  bypassed: boolean;
  portal_id: string | null;
  portal_revision: string | null;
  available: string[] | null;
  /** The location or the device has periods with other portals. */
  scheduled: boolean;
  /** Advertisements whose daily cap this guest device has reached. */
  capped_ads: string[] | null;
  /** The code of the location's QR menu, if the portal has a button to it and the menu has products. */
  menu_code: string | null;
}

/** The SELECT list items for a location's ways to the internet beside the portal's methods, of the row `l`. */
export const waysIn = (providers: readonly string[]) => sql`
  coalesce((select json_agg(json_build_object('id', i.id, 'label', i.label) order by i.id) from integrations i
    where i.tenant_id = l.tenant_id and i.location_id = l.id and i.kind = 'openid'), '[]') as social,
  sells_packages(l.tenant_id, l.id, (select ${providers}::text[])) as sells,
  exists (select from purchases h where h.tenant_id = l.tenant_id and h.location_id = l.id and h.state = 'paid'
    and h.created_at > now() - interval '366 days') as restores`;

export interface ContextQuery {
  readonly deviceId: string;
  readonly mac: string;
  readonly ip: string;
  /** The portal on which the guest has begun to sign in. It stays while the location has a period with it, or shows it otherwise. */
  readonly portal?: string | undefined;
}

/**
 * Changes with everything in `portalJson`: a row's xmin is the transaction that last wrote it. A cache entry under this key
 * cannot be stale.
 */
const revision = sql`concat(p.xmin, '/', (select string_agg(r.xmin::text, ',' order by r.id) from portal_rules r where r.portal_id = p.id),
  '/', (select string_agg(a.xmin::text, ',' order by a.id) from portal_ads a where a.portal_id = p.id))`;

const secretBrands = brandsWith(driver => driver.sharesSecret);

/**
 * The portal of the guest's network comes first. Next come that of a period of the device or the location, and that of the
 * location. A guest who has begun to sign in stays with its portal. Each array is wrapped in a SELECT to hide its length:
 * PostgreSQL would otherwise plan the query for each length, which takes longer than running it.
 */
export const findContexts = (tx: Tx, batch: readonly ContextQuery[], providers: readonly string[]) =>
  tx.many<ContextRow>(sql`
    select g.n::int, d.id as device_id, d.nas_identifier, d.hotspot_address,
      case when d.login_hosts_at < now() - interval '1 day' then d.login_hosts end as login_hosts, host(d.last_address) as public_address, br.slug as brand, l.id as location_id,
      case when br.slug = any(${serialNumberBrands}::text[]) then d.mac_address end as serial_number,
      case when br.slug = any(${secretBrands}::text[]) then d.secret end as secret, l.name as location_name,
      json_build_object('country', l.country, 'timeZone', l.time_zone) as place,
      (select t.slug from tenants t) as tenant_slug,
      (l.portal_periods <> '[]' or d.portal_periods <> '[]') as scheduled,
      device_refusal(d, l, b.blocked) as refused, b.bypassed,
      p.id as portal_id, case when p.id is not null then ${revision} end as portal_revision, l.available_providers as available,
      ${waysIn(providers)},
      (select array_agg(a.id) from portal_ads a join ad_guests s on s.ad_id = a.id and s.client_mac = parse_mac(g.mac)
          and s.day = local_day(l.time_zone) and s.views >= a.daily_cap
        where a.portal_id = p.id and a.daily_cap is not null) as capped_ads,
      case when p.page @? '$.*[*] ? (@.kind == "menu")' then (select m.code from menu_desks m where m.location_id = l.id and m.status = 1
        and exists (select from menu_products f where f.location_id = l.id and f.status = 1) order by m.id limit 1) end as menu_code
    from unnest((select ${batch.map(it => it.deviceId)}::uuid[]), (select ${batch.map(it => it.mac)}::text[]),
      (select ${batch.map(it => it.ip)}::text[]), (select ${batch.map(it => it.portal ?? null)}::uuid[])) with ordinality as g (device_id, mac, ip, begun, n)
    join devices d on d.id = g.device_id
    join brands br on br.id = d.brand_id
    join locations l on l.id = d.location_id
    left join lateral find_network(d.tenant_id, d.id, parse_ip(g.ip)) n on true
    left join lateral (
      select coalesce(bool_or(m.type = 'blocked' and (m.networks = '{}' or n.id is null or n.id = any(m.networks))), false)
               or (l.mac_blacklist_enabled and parse_mac(g.mac) = any(l.mac_blacklist)) is true as blocked,
             coalesce(bool_or(m.type = 'bypassed' and (m.networks = '{}' or n.id = any(m.networks))), false)
               or (l.mac_whitelist_enabled and parse_mac(g.mac) = any(l.mac_whitelist)) is true as bypassed
      from mac_rules m where m.device_id = d.id and m.mac = parse_mac(g.mac)) b on true
    left join portals p on p.id = coalesce(n.portal_id,
      case when g.begun is not null and (g.begun = l.portal_id or (l.portal_periods || d.portal_periods) @> jsonb_build_array(jsonb_build_object('portal_id', g.begun)))
        then g.begun end,
      portal_of_period(d.tenant_id, d.portal_periods, l.time_zone), portal_of_period(l.tenant_id, l.portal_periods, l.time_zone), l.portal_id)`);

/** A portal's content as guests see it, with its revision. */
export const findContent = (tx: Tx, portalId: string) =>
  tx.maybe<{ revision: string; portal: PortalRow }>(
    sql`select ${revision} as revision, ${portalJson} as portal from portals p where p.id = ${portalId}`,
  );
