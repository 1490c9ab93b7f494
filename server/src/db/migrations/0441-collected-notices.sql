-- Sends NOTIFY portico once per location whose sessions changed. The RADIUS service collects these changes and sends them itself
-- a moment later: it sets portico.announce for its batches.
create or replace procedure announce_sessions(deltas usage_delta[])
language plpgsql as $$
begin
  if current_setting('portico.announce', true) = 'later' then return; end if;
  perform pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'sessions')::text)
  from (select distinct tenant_id, location_id from unnest(deltas)) x;
end $$;

-- Trigger: sends NOTIFY portico when a row changes, so that open screens refetch.
-- Arguments: the topic, the column that holds the location (without it the notice is for the whole tenant), and the column that
-- holds the NAS identifier of the device that changed, for what is cached of that device.
-- PostgreSQL merges equal notices of one transaction, so an import of a thousand visitors sends one.
create or replace function announce() returns trigger
language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('portico', (jsonb_build_object(
    'tenant', changed->>'tenant_id',
    'location', case when tg_nargs > 1 then changed->>tg_argv[1] end,
    'topic', tg_argv[0])
    || case when tg_nargs > 2 then jsonb_build_object('nas_identifier', changed->>tg_argv[2]) else '{}' end)::text);
  return null;
end $$;

drop trigger announce on devices;
create trigger announce after insert or delete or update of name, location_id, secret, mac_address,
    hotspot_status, license_end_at, trial_end_at, coa_port, logging_enabled on devices
  for each row execute function announce('devices', 'location_id', 'nas_identifier');
