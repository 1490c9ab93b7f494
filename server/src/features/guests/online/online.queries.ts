import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface OnlineRow {
  id: string;
  visitor_id: string | null;
  /** The name that the router reports. */
  user_name: string;
  started_at: string;
  seconds: number;
  /** Null: unlimited. */
  seconds_left: number | null;
  bytes: number;
  /** Null: unlimited. */
  bytes_left: number | null;
  /** The operator has paused the visitor; the router has not ended the session yet. */
  paused: boolean;
}

interface Guest {
  readonly mac: string;
  /** The ticket that it signed in with, if it is known. */
  readonly ticket?: string | undefined;
  /** Any guest can make up a MAC. Unless the MAC is proven, only a session of this visitor or under this user name is found. */
  readonly owner: 'proven' | { readonly visitor?: string | undefined; readonly userName?: string | undefined };
}

const ofOwner = (owner: Guest['owner']) =>
  owner === 'proven'
    ? sql`true`
    : sql`(s.visitor_id is null or s.visitor_id = ${owner.visitor ?? null}::uuid or s.user_name = ${owner.userName ?? null}::text)`;

const ofDevice = (deviceId: string, { mac, ticket = '', owner }: Guest) => sql`
  s.device_id = ${deviceId}
  and (s.client_mac = parse_mac(${mac}) or s.user_name = nullif(${ticket}, '')
    or s.client_mac = (select u.client_mac from pseudo_macs u where u.device_id = ${deviceId} and u.pseudo_mac = parse_mac(${mac})))
  and ${ofOwner(owner)}`;

/**
 * Whether an operator ended the last session of a guest device: it ended soon after the command. A visit lasts twelve hours.
 */
export const endedByStaff = async (tx: Tx, deviceId: string, guest: Guest): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from (
      select s.id, s.ended_at from session_history s where ${ofDevice(deviceId, guest)} and s.started_at > now() - interval '2 days'
      order by s.started_at desc limit 1) s
    join session_commands k on k.session_id = s.id and k.kind = 'end' and k.reason = 'operator' and k.requested_by is not null
      and k.state <> 'refused' and s.ended_at < k.requested_at + interval '10 minutes'
    limit 1`)) !== undefined;

/** Whether a session is still open, or goes on at another router. */
export const isOpen = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from online_sessions s
    where s.id = ${id} or (s.visitor_id, s.client_mac) = (
      select h.visitor_id, h.client_mac from session_history h where h.id = ${id} and h.close_reason = 'roamed' limit 1)
    limit 1`)) !== undefined;

/** The open session of a guest device, by its MAC or pseudo MAC, or by the ticket that it signed in with. */
export const findOnline = (tx: Tx, deviceId: string, guest: Guest) =>
  tx.maybe<OnlineRow>(sql`
    select s.id, s.visitor_id, s.user_name, s.started_at, greatest(s.seconds, extract(epoch from now() - s.started_at)::bigint) as seconds, s.upload + s.download as bytes,
      b.seconds as seconds_left, b.bytes as bytes_left, coalesce(v.blocked, false) as paused
    from online_sessions s
    join locations l on l.id = s.location_id
    left join visitors v on v.id = s.visitor_id
    left join networks n on n.id = s.network_id
    left join profiles p on p.id = coalesce(v.profile_id, n.profile_id, l.default_profile_id)
    left join lateral session_balance(s, v, p, l) b on true
    where ${ofDevice(deviceId, guest)}
    order by s.started_at desc limit 1`);
