import type { PerLanguage, PortalMessages } from '@portico/contract/portal-messages.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import type { Rule } from '@portico/contract/rules.ts';
import type { SignInRefusal } from '@portico/contract/sessions.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { isStandIn } from './arrival/anonymous-device.ts';

export interface PortalRow {
  id: string;
  name: string;
  styles: Partial<PortalStyles>;
  providers: Provider[];
  messages: Partial<PortalMessages>;
  agreements: { kvkk?: PerLanguage; general?: PerLanguage };
  /** In the order in which they are asked. */
  rules: Pick<Rule, 'id' | 'state' | 'action' | 'survey_id' | 'url' | 'language'>[];
  ads: { id: string; name: string; type: 'image' | 'embed'; images: string[] }[];
  /** The methods that the location was given; all of them where it names none. */
  available?: string[];
  /** Names this content: anything else has another. Absent where it is not in force. */
  revision?: string;
}

/** What a guest stands before: the device it came through, how that stands, and the portal to show. */
export interface DoorRow {
  device_id: string;
  nas_identifier: string;
  hotspot_address: string | null;
  brand: string;
  /** Of a WatchGuard; `secret`, encrypted, is what it shares with us. */
  serial_number: string | null;
  secret: string | null;
  location_id: string;
  location_name: string;
  tenant_slug: string;
  /** Why nobody, or not this device, is let in; whatever is typed. */
  refused: SignInRefusal | null;
  /** This device needs no sign-in. */
  bypassed: boolean;
  portal: PortalRow | null;
  /** Accounts elsewhere that guests may sign in with. */
  social: { id: string; label: string }[];
}

/** A portal as guests' pages read it, as JSON of the table `p`. */
export const portalJson = sql`json_build_object('id', p.id, 'name', p.name, 'styles', p.styles, 'providers', p.providers,
  'messages', p.messages, 'agreements', p.agreements,
  'rules', coalesce((select json_agg(json_build_object('id', r.id, 'state', r.state, 'action', r.action, 'survey_id', r.survey_id,
    'url', r.url, 'language', r.language) order by r.position, r.id) from portal_rules r where r.portal_id = p.id), '[]'),
  'ads', coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'images', a.images) order by a.id)
    from portal_ads a where a.portal_id = p.id), '[]'))`;

/** A door as it stands at this moment, before its portal's content is added. */
export interface DoorState extends Omit<DoorRow, 'portal'> {
  /** Which of those that were asked for it is, from 1. */
  n: number;
  portal_id: string | null;
  portal_revision: string | null;
  available: string[] | null;
}

export interface AskedDoor {
  readonly deviceId: string;
  readonly mac: string;
  readonly ip: string;
}

/**
 * Changes with every change of what `portalJson` tells of the table `p`: a row's xmin is that of the transaction which wrote
 * it. What is kept under it can't be stale.
 */
const revision = sql`concat(p.xmin, '/', (select string_agg(r.xmin::text, ',' order by r.id) from portal_rules r where r.portal_id = p.id),
  '/', (select string_agg(a.xmin::text, ',' order by a.id) from portal_ads a where a.portal_id = p.id))`;

/**
 * The network's portal where the address lies in one that has its own, else the location's. Lists that hide behind a select
 * have no length for the planner: knowing it, it would plan anew each time, which takes longer than the answer.
 */
export const findDoors = (tx: Tx, asked: readonly AskedDoor[]) =>
  tx.many<DoorState>(sql`
    select g.n::int, d.id as device_id, d.nas_identifier, d.hotspot_address, br.slug as brand, l.id as location_id,
      case when br.slug = 'watchguard' then d.mac_address end as serial_number, case when br.slug = 'watchguard' then d.secret end as secret, l.name as location_name,
      (select t.slug from tenants t) as tenant_slug,
      device_refusal(d, l, b.blocked) as refused, b.bypassed,
      p.id as portal_id, case when p.id is not null then ${revision} end as portal_revision, l.available_providers as available,
      coalesce((select json_agg(json_build_object('id', i.id, 'label', i.label) order by i.id) from integrations i
        where i.tenant_id = l.tenant_id and i.location_id = l.id and i.kind = 'openid'), '[]') as social
    from unnest((select ${asked.map(it => it.deviceId)}::uuid[]), (select ${asked.map(it => it.mac)}::text[]),
      (select ${asked.map(it => it.ip)}::text[])) with ordinality as g (device_id, mac, ip, n)
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
    left join portals p on p.id = coalesce(n.portal_id, l.portal_id)`);

/** What guests are shown of a portal, and the revision that it is. */
export const findContent = (tx: Tx, portalId: string) =>
  tx.maybe<{ revision: string; portal: PortalRow }>(
    sql`select ${revision} as revision, ${portalJson} as portal from portals p where p.id = ${portalId}`,
  );

/** As guests see it, or as it is being worked on: its draft where there is one. */
export const findPreview = (tx: Tx, portalId: string, drafts: boolean) =>
  tx.maybe<{ portal: PortalRow; location_name: string | null }>(sql`
    select ${portalJson}::jsonb || case when p.nested is null then '{}' else jsonb_build_object('ads', p.nested->'advertisements') end as portal,
      (select l.name from locations l where l.id = p.location_id) as location_name
    from (select o.id, o.tenant_id, o.name, o.location_id, w.* from portals o, jsonb_to_record(coalesce(case when ${drafts} then o.draft end, to_jsonb(o)))
      as w(styles jsonb, providers jsonb, messages jsonb, agreements jsonb, nested jsonb)) p
    where p.id = ${portalId}`);

/**
 * Why a visitor who proved itself would be refused by authorize(), whose limits are these: known before the router asks. Only that
 * can tell whether a device which is not known yet is one too many; `strict` counts it as another.
 */
export const findUnwelcome = async (
  tx: Tx,
  it: { visitorId: string; deviceId: string; mac: string; ip: string; strict?: boolean },
): Promise<SignInRefusal | 'paused' | null> =>
  (
    await tx.one<{ reason: SignInRefusal | 'paused' | null }>(sql`
      select case
        when v.blocked then 'paused'
        when v.session_start_at > now() then 'not_yet'
        when v.session_end_at <= now() then 'expired'
        when l.daily_bandwidth_enabled and used_today(v.tenant_id, l.id, v.id, local_day(l.time_zone)) >=
          l.daily_bandwidth * case l.daily_bandwidth_unit when 'mb' then 1000000::bigint else 1000000000 end then 'over_quota'
        when ${it.strict || !isStandIn(it.mac)} and (select used from devices_in_use(v.tenant_id, v.id, parse_mac(${it.mac}))) >=
          case when v.special_profile then v.shared_user else p.shared_user end then 'over_limit'
      end as reason
      from visitors v
      join devices d on d.id = ${it.deviceId}
      join locations l on l.id = d.location_id
      left join lateral find_network(d.tenant_id, d.id, parse_ip(${it.ip})) n on true
      left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
      where v.id = ${it.visitorId}`)
  ).reason;

/** An embed code of a portal that a device shows: its location's, or one of its networks'. */
export const findEmbedCode = (tx: Tx, deviceId: string, adId: string) =>
  tx.maybe<{ name: string; embed_code: string }>(sql`
    select a.name, a.embed_code from portal_ads a
    where a.id = ${adId} and a.type = 'embed' and a.portal_id in (
      select l.portal_id from devices d join locations l on l.id = d.location_id where d.id = ${deviceId}
      union select n.portal_id from networks n where n.device_id = ${deviceId})`);

export interface OnlineRow {
  id: string;
  visitor_id: string | null;
  /** As the router knows it. */
  user_name: string;
  started_at: string;
  seconds: number;
  seconds_left: number | null;
  bytes: number;
  bytes_left: number | null;
}

/** The open session of a guest device, by its address or what stands for it, or of the ticket that it signed in with; with what is left of it. */
export const findOnline = (tx: Tx, deviceId: string, mac: string, ticket = '') =>
  tx.maybe<OnlineRow>(sql`
    select s.id, s.visitor_id, s.user_name, s.started_at, greatest(s.seconds, extract(epoch from now() - s.started_at)::bigint) as seconds, s.upload + s.download as bytes,
      least(extract(epoch from v.session_end_at - now())::bigint,
        case when v.special_profile then limit_seconds(v.session_duration)
             when p.id is not null then limit_seconds(p.session_duration)
             when l.time_limit_enabled then limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
        end - extract(epoch from now() - s.started_at)::bigint) as seconds_left,
      case when l.daily_bandwidth_enabled and s.visitor_id is not null then greatest(0,
        l.daily_bandwidth * case l.daily_bandwidth_unit when 'mb' then 1000000::bigint else 1000000000 end
        - used_today(s.tenant_id, s.location_id, s.visitor_id, local_day(l.time_zone))) end as bytes_left
    from online_sessions s
    join locations l on l.id = s.location_id
    left join visitors v on v.id = s.visitor_id
    left join networks n on n.id = s.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    where s.device_id = ${deviceId} and (s.client_mac = parse_mac(${mac}) or s.user_name = nullif(${ticket}, '')
      or s.client_mac = (select u.client_mac from pseudo_macs u where u.device_id = ${deviceId} and u.pseudo_mac = parse_mac(${mac})))
    order by s.started_at desc limit 1`);

/** Whose address this is: one of the guests' there (near the router's own, or in a network), with how many devices are online under it, and which where it is one. */
export const findCaller = (tx: Tx, deviceId: string, ip: string) =>
  tx.one<{ inside: boolean; devices: number; mac: string | null }>(sql`
    select coalesce(parse_ip(${ip}) <<= network(set_masklen(parse_ip(split_part(d.hotspot_address, '/', 1)), 24)), false)
        or exists (select from find_network(d.tenant_id, d.id, parse_ip(${ip}))) as inside,
      count(distinct s.client_mac)::int as devices, upper(min(s.client_mac::text)) as mac
    from devices d left join online_sessions s on s.device_id = d.id and s.client_ip = parse_ip(${ip})
    where d.id = ${deviceId} group by d.tenant_id, d.id`);
