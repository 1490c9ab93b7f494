import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { announceLocations } from '#features/notifications/public.ts';

/** A router polls once a minute. After three missing polls it counts as offline. */
const pollLimit = 180;

/**
 * Sets the time without packets after which a device is offline: three polls of a polling router, else three interims of its
 * slowest session. That is before its sessions are closed. Across tenants, as all queries here.
 */
export const setExpectations = (tx: Tx) =>
  tx.run(sql`
    update devices d set expected_within = e.seconds
    from devices s cross join lateral (
      select case when greatest(s.polled_at, s.reported_at) > s.last_seen_at - interval '10 minutes' then ${pollLimit}::int
        else (select case when count(*) > 0 then greatest(${pollLimit}::int, 3 * max(o.interim)) end from online_sessions o
              where o.tenant_id = s.tenant_id and o.device_id = s.id and o.acct_session_id not like 'unreported-%') end as seconds) e
    where s.down_since is null and s.last_seen_at < now() - interval '75 seconds'
      and s.last_seen_at > now() - make_interval(secs => ${pollLimit}::int)
      and d.tenant_id = s.tenant_id and d.id = s.id and d.expected_within is distinct from e.seconds`);

/** Marks devices without packets for too long as offline. */
export const findOffline = (tx: Tx) =>
  tx.run(sql`
    update devices set down_since = last_seen_at, up_since = null
    where down_since is null and last_seen_at < now() - make_interval(secs => coalesce(expected_within, 900))`);

/** Marks devices that have sent packets again as online. */
export const findOnline = (tx: Tx) =>
  tx.run(sql`
    update devices set down_since = null, up_since = last_seen_at
    where down_since is not null and last_seen_at > down_since`);

export interface WatchedDevice {
  tenant_id: string;
  id: string;
  name: string;
  location_id: string;
  location: string;
}

const about = sql`d.tenant_id, d.id, d.name, d.location_id, (select l.name from locations l where l.tenant_id = d.tenant_id and l.id = d.location_id) as location`;

/** Devices to notify as offline: without packets for five minutes while one was due, and at most once an hour. */
export const listOffline = (tx: Tx) =>
  tx.many<WatchedDevice>(sql`
    select ${about} from devices d
    where d.down_since < now() - interval '5 minutes' and not d.offline_notified and d.expected_within is not null
      and (d.offline_notified_at is null or d.offline_notified_at < now() - interval '1 hour') limit 200`);

/** Devices that were notified as offline and have been online for two minutes. */
export const listOnline = (tx: Tx) =>
  tx.many<WatchedDevice>(sql`
    select ${about} from devices d
    where d.offline_notified and d.down_since is null and d.up_since < now() - interval '2 minutes'
      and (d.expected_within is null and d.polled_at is null or d.last_seen_at >= d.up_since + interval '110 seconds') limit 200`);

/** Returns false if another process has sent this notification already. */
export const markNotified = async (tx: Tx, id: string, offline: boolean): Promise<boolean> =>
  (await tx.run(sql`
    update devices set offline_notified = ${offline}, offline_notified_at = case when ${offline} then now() else offline_notified_at end
    where id = ${id} and offline_notified <> ${offline}`)) > 0;

/** Notifies open screens of locations with devices that sent packets within these seconds. */
export const announceSeen = (tx: Tx, seconds: number) =>
  announceLocations(
    tx,
    'device-seen',
    sql`select tenant_id, location_id from devices where last_seen_at > now() - make_interval(secs => ${seconds})`,
  );

/** Sends the event to the location's webhooks. */
export const emitEvent = (tx: Tx, it: WatchedDevice, event: 'device.offline' | 'device.online') =>
  tx.run(sql`select queue_webhook_event(current_tenant(), ${it.location_id}::uuid, ${event}, jsonb_build_object(
    'id', ${it.id}::uuid, 'name', ${it.name}::text, 'location_id', ${it.location_id}::uuid,
    'last_seen_at', (select d.last_seen_at from devices d where d.id = ${it.id})))`);
