import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** A router asks for its commands once a minute; three that do not come are too many. */
const pollLimit = 180;

/**
 * What is expected of devices that have been silent for a while, told before anyone gives up their sessions: three polls of
 * a router that polls, else three interims of its slowest session. Across tenants, as all here.
 */
export const expectNews = (tx: Tx) =>
  tx.run(sql`
    update devices d set expected_within = e.seconds
    from devices s cross join lateral (
      select case when s.polled_at > s.last_seen_at - interval '10 minutes' then ${pollLimit}::int
        else (select case when count(*) > 0 then greatest(${pollLimit}::int, 3 * max(o.interim)) end from online_sessions o
              where o.tenant_id = s.tenant_id and o.device_id = s.id and o.acct_session_id not like 'unreported-%') end as seconds) e
    where s.down_since is null and s.last_seen_at < now() - interval '75 seconds'
      and s.last_seen_at > now() - make_interval(secs => ${pollLimit}::int)
      and d.tenant_id = s.tenant_id and d.id = s.id and d.expected_within is distinct from e.seconds`);

/** Devices that stayed silent for too long are away. */
export const findGone = (tx: Tx) =>
  tx.run(sql`
    update devices set down_since = last_seen_at, up_since = null
    where down_since is null and last_seen_at < now() - make_interval(secs => coalesce(expected_within, 900))`);

/** Those heard of again are back. */
export const findBack = (tx: Tx) =>
  tx.run(sql`
    update devices set down_since = null, up_since = last_seen_at
    where down_since is not null and last_seen_at > down_since`);

export interface Told {
  tenant_id: string;
  id: string;
  name: string;
  location_id: string;
  location: string;
}

const about = sql`d.tenant_id, d.id, d.name, d.location_id, (select l.name from locations l where l.tenant_id = d.tenant_id and l.id = d.location_id) as location`;

/** Devices to tell of as away: silent beyond doubt for five minutes, where something had to come, and once an hour at most. */
export const listGone = (tx: Tx) =>
  tx.many<Told>(sql`
    select ${about} from devices d
    where d.down_since < now() - interval '5 minutes' and not d.offline_notified and d.expected_within is not null
      and (d.offline_notified_at is null or d.offline_notified_at < now() - interval '1 hour') limit 200`);

/** Devices that were told of as away and have been back for two minutes: heard of all the while, if they owe us something. */
export const listBack = (tx: Tx) =>
  tx.many<Told>(sql`
    select ${about} from devices d
    where d.offline_notified and d.down_since is null and d.up_since < now() - interval '2 minutes'
      and (d.expected_within is null and d.polled_at is null or d.last_seen_at >= d.up_since + interval '110 seconds') limit 200`);

/** Answers whether this is news: another process may have told it in the meantime. */
export const markTold = async (tx: Tx, id: string, offline: boolean): Promise<boolean> =>
  (await tx.run(sql`
    update devices set offline_notified = ${offline}, offline_notified_at = case when ${offline} then now() else offline_notified_at end
    where id = ${id} and offline_notified <> ${offline}`)) > 0;

/** Tells screens where devices were heard of within these seconds: at most one word for each location. */
export const tellSeen = (tx: Tx, seconds: number) =>
  tx.run(sql`
    select pg_notify('portico', json_build_object('tenant', s.tenant_id, 'location', s.location_id, 'topic', 'device-seen')::text)
    from (select distinct tenant_id, location_id from devices where last_seen_at > now() - make_interval(secs => ${seconds})) s`);

/** Tells the webhooks of the location that listen to it. */
export const emitOffline = (tx: Tx, it: Told) =>
  tx.run(sql`select queue_webhook_event(current_tenant(), ${it.location_id}::uuid, 'device.offline', jsonb_build_object(
    'id', ${it.id}::uuid, 'name', ${it.name}::text, 'location_id', ${it.location_id}::uuid,
    'last_seen_at', (select d.last_seen_at from devices d where d.id = ${it.id})))`);
