-- The proof of a domain is looked for every day. Domains from before the proof get more time to show it.
alter table tenant_domains
  add column proven_at timestamptz,
  add column missing_since timestamptz,
  add column next_check_at timestamptz not null default now();
update tenant_domains set proven_at = verified_at where verified_at <> created_at;
create index tenant_domains_check on tenant_domains (next_check_at) where verified_at is not null;

-- Lets a host name lead to the current tenant. Its DNS has just shown that, so another tenant loses it.
create or replace function verify_domain(p_host text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update tenant_domains set verified_at = null, missing_since = null where host = p_host and tenant_id <> current_tenant();
  update tenant_domains set verified_at = now(), proven_at = now(), missing_since = null, next_check_at = now() + interval '1 day'
  where host = p_host and tenant_id = current_tenant();
$$;
