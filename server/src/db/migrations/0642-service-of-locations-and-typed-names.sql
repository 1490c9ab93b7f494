create function any_device_serves(l locations) returns boolean
language sql stable as $$
  select exists (select from devices d where d.tenant_id = l.tenant_id and d.location_id = l.id and not out_of_service(d, l))
$$;

-- Whether a location serves guests: 'running', 'suspended', or 'ended': its licence or demo is over, and no device has one of its own.
-- Lists ask for each row. Without a subquery of its own PostgreSQL computes it in place.
create function location_service(l locations) returns text
language sql stable as $$
  select case when l.suspended_at is not null then 'suspended'
    when coalesce(l.license_end_at, l.trial_end_at) <= now() - interval '1 second' and not any_device_serves(l) then 'ended'
    else 'running' end
$$;

-- The search finds a failed sign-in by what was typed as the name. Attempts made before are not found.
alter table failed_logins add column typed_hash bytea;
alter table failed_logins add check (typed_hash is null or params is not null);
create index failed_logins_typed on failed_logins (tenant_id, typed_hash, created_at desc) where typed_hash is not null;
