-- Accounting: what is true about sessions. Whoever changes the sessions of a guest device holds its lock, and that of its router
-- as a sharer (exclusively when the router went on or off), all taken first and sorted: batches never wait in a circle.

create type accounting_record as (
  tenant uuid, device uuid, status text, session text, class text, user_name text, mac text, ip text,
  at timestamptz, seconds bigint, upload bigint, download bigint, cause text);

/* What was used on one day, to be added to the roll-ups. */
create type usage_delta as (
  tenant_id uuid, location_id uuid, device_id uuid, visitor_id uuid, day date, sessions int, seconds bigint, upload bigint, download bigint);
create type session_closing as (tenant_id uuid, id uuid, ended_at timestamptz, close_reason text, terminate_cause text);

/* One accounting record beside what is known of its session. */
create type accounting_step as (
  n bigint, status text, tenant_id uuid, location_id uuid, device_id uuid, zone text, stopped boolean, accounting_id bytea,
  session text, class text, user_name text, mac macaddr, ip inet, at timestamptz, began_at timestamptz,
  seconds bigint, upload bigint, download bigint, cause text, action text,
  open_id uuid, closed_id uuid, closed_start timestamptz, rival_id uuid, rival_updated timestamptz);

/* Unique accounting id: what no two sessions of all routers have in common. */
create function accounting_id(device uuid, session text, user_name text, mac text, class text) returns bytea language sql immutable parallel safe as $$
  select substring(sha256(convert_to(jsonb_build_array(device, session, user_name, mac, class)::text, 'UTF8')) for 16) $$;

/* The end of a day of a time zone. */
create function day_end(day date, zone text) returns timestamptz language sql stable parallel safe as $$
  select (day + 1)::timestamp at time zone zone $$;

create procedure add_usage(deltas usage_delta[]) language plpgsql as $$ begin
  insert into session_days (tenant_id, location_id, day, device_id, sessions, seconds, upload, download)
  select tenant_id, location_id, day, device_id, sum(sessions), sum(seconds), sum(upload), sum(download)
  from unnest(deltas) group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, device_id) do update set
    sessions = session_days.sessions + excluded.sessions, seconds = session_days.seconds + excluded.seconds,
    upload = session_days.upload + excluded.upload, download = session_days.download + excluded.download;
  insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download)
  select tenant_id, location_id, day, visitor_id, sum(sessions), sum(upload), sum(download)
  from unnest(deltas) where visitor_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, location_id, day, visitor_id) do update set
    sessions = visitor_days.sessions + excluded.sessions,
    upload = visitor_days.upload + excluded.upload, download = visitor_days.download + excluded.download;
end $$;

/* Moves open sessions into the history; answers what they used since their last day was counted. */
create function close_sessions(closings session_closing[]) returns setof usage_delta language sql as $$
  with gone as (
    delete from online_sessions o using unnest(closings) c where o.tenant_id = c.tenant_id and o.id = c.id
    returning o.*, greatest(c.ended_at, o.started_at) as ended_at, c.close_reason, c.terminate_cause
  ), kept as (
    insert into session_history (tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name,
      acct_session_id, class, client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause)
    select tenant_id, id, accounting_id, location_id, device_id, network_id, visitor_id, profile_id, user_name,
      acct_session_id, class, client_mac, client_ip, started_at, ended_at, seconds, upload, download, interim, reopened, day, close_reason, terminate_cause
    from gone
  ), kicked as (
    update kicks k set state = 'confirmed', confirmed_at = now()
    from gone where k.tenant_id = gone.tenant_id and k.session_id = gone.id and gone.close_reason = 'stop'
      and k.state in ('requested', 'acknowledged', 'no-answer')
  )
  select tenant_id, location_id, device_id, visitor_id, day, 0, seconds - day_seconds, upload - day_upload, download - day_download from gone $$;

/* Tells the screens, once a location. */
create procedure tell_sessions_changed(locations_of jsonb) language plpgsql as $$ begin
  perform pg_notify('portico', jsonb_build_object('tenant', t->'tenant', 'location', t->'location', 'topic', 'sessions')::text)
  from (select distinct t from jsonb_array_elements(locations_of) t) x;
end $$;
