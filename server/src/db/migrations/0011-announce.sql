/*
 * Tells screens what changed, in the transaction that changed it: topic, and the location it belongs to (the column
 * named by the second argument; none: the whole tenant). PostgreSQL sends equal words of one transaction once, so a
 * thousand new visitors are one message.
 */
create function announce() returns trigger language plpgsql as $$
declare
  it jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('portico', json_build_object(
    'tenant', it->>'tenant_id', 'location', case when tg_nargs > 1 then it->>tg_argv[1] end, 'topic', tg_argv[0])::text);
  return null;
end $$;

create trigger announce after insert or delete or update on locations for each row execute function announce('locations', 'id');
create trigger announce after insert or delete or update on profiles for each row execute function announce('profiles', 'location_id');
create trigger announce after insert or delete or update on portals for each row execute function announce('portals', 'location_id');
create trigger announce after insert or delete or update on visitors for each row execute function announce('visitors', 'location_id');
-- Not when a device was merely heard of: that happens all the time.
create trigger announce after insert or delete or update of name, location_id, secret, mac_address, hotspot_status, license_end_at,
  trial_end_at, coa_port, logging_enabled on devices for each row execute function announce('devices', 'location_id');
create trigger announce after insert or delete or update on networks for each row execute function announce('devices');
create trigger announce after insert or delete or update on mac_rules for each row execute function announce('devices');
