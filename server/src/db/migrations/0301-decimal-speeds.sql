alter table locations
  alter column download_limit type double precision, alter column download_limit set default 10,
  alter column upload_limit type double precision, alter column upload_limit set default 10;

-- The limits in force for a visitor: its own (special_profile), else those of the profile, else those of the location.
-- A limit that is off there means unlimited. The location's daily volume holds for all of its guests.
-- Seconds, bytes and bits per second; null means unlimited. A day is one of the location's time zone.
create or replace function limits_in_force(v visitors, p profiles, l locations)
returns table (
  shared_user int, session_seconds bigint, day_seconds bigint, total_seconds bigint,
  session_bytes bigint, day_bytes bigint, total_bytes bigint, upload_bps bigint, download_bps bigint, reduced_bps bigint
)
language sql stable as $$
  select
    case when v.special_profile or v.provider_type = 'voucher' then v.shared_user else p.shared_user end,
    case
      when v.special_profile then limit_seconds(v.session_duration)
      when p.id is not null then limit_seconds(p.session_duration)
      when l.time_limit_enabled then
        limit_seconds(jsonb_build_object('is_active', true, 'option', l.time_limit_unit, 'value', l.time_limit))
    end,
    case when v.special_profile is not true then limit_seconds(p.daily_duration) end,
    case when v.special_profile is not true then limit_seconds(p.total_duration) end,
    case when v.special_profile is not true then limit_bytes(p.session_quota) end,
    least(
      case when v.special_profile is not true then limit_bytes(p.daily_quota) end,
      case when l.daily_bandwidth_enabled then
        limit_bytes(jsonb_build_object('is_active', true, 'option', l.daily_bandwidth_unit, 'value', l.daily_bandwidth))
      end),
    case when v.special_profile is not true then limit_bytes(p.total_quota) end,
    case
      when v.special_profile then limit_bps(v.max_upload)
      when p.id is not null then limit_bps(p.max_upload)
      when l.upload_limit_enabled then (l.upload_limit * 1000000)::bigint
    end,
    case
      when v.special_profile then limit_bps(v.max_download)
      when p.id is not null then limit_bps(p.max_download)
      when l.download_limit_enabled then (l.download_limit * 1000000)::bigint
    end,
    case when v.special_profile is not true then limit_bps(p.reduced_speed) end
$$;
