-- Tenants (operators of an installation) and the host names that lead to them.

create table tenants (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  brand_name text not null,
  brand_long_name text not null,
  primary_color text not null default '#2f71f2',
  landing_logo text,
  landing_background text,
  landing_background_image text,
  landing_bottom_image text,
  landing_title jsonb not null default '{}',
  landing_slogan jsonb not null default '{}',
  landing_copyright jsonb not null default '{}',
  password_min int not null default 8 check (password_min between 6 and 64),
  require_second_factor boolean not null default false,
  idle_minutes int check (idle_minutes between 5 and 43200), -- a sign-in without requests ends; null: the installation's setting
  time_zone text not null default 'Europe/Istanbul', -- of what spans several locations, and of new locations
  registration text not null default 'open' check (registration in ('open', 'invitation')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A tenant's own row is keyed by `id`, so it has policies of its own instead of isolate().
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants to portico_app using (id = current_tenant()) with check (id = current_tenant());
create policy system on tenants to portico_system using (true) with check (true);
grant select, update on tenants to portico_app;
grant select, insert, update, delete on tenants to portico_system;

-- The brand and the rules of the tenant itself. Its row has no tenant_id.
create function tell_tenant() returns trigger
language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  changed text[] := array(
    select c from jsonb_object_keys(after) c where c <> 'updated_at' and before->c is distinct from after->c order by c);
begin
  if cardinality(changed) > 0 and tenant_has_webhook(new.id) then
    perform tell_event('tenant', 'updated', after || jsonb_build_object('tenant_id', new.id), 'tenant',
      '{id, slug, brand_name}', jsonb_build_object('changed', changed));
  end if;
  return null;
end $$;
create trigger tell_tenant after update on tenants for each row execute function tell_tenant();
-- Open streams of changes look at the rights of their reader again.
create function announce_tenant_rights() returns trigger
language plpgsql as $$
begin
  perform pg_notify('portico', jsonb_build_object('tenant', new.id, 'location', null, 'topic', 'rights')::text);
  return null;
end $$;
create trigger announce_rights after update on tenants
  for each row when (new.require_second_factor and not old.require_second_factor or new.idle_minutes is distinct from old.idle_minutes)
  execute function announce_tenant_rights();

-- Host names of tenants. One leads to its tenant only while verified_at is set; it is looked up before the tenant is known.
create table tenant_domains (
  tenant_id uuid not null references tenants on delete cascade,
  host text not null check (host = lower(host)),
  -- reseller: the panel under this host hides licences
  variant text not null default 'standard' check (variant in ('standard', 'reseller')),
  created_at timestamptz not null default now(),
  proof text not null, -- the TXT record of _portico.<host> that shows who controls the name
  verified_at timestamptz, -- null: not shown yet, or not for too long
  proven_at timestamptz, -- when the record was found last; null: never, the domain is from before the proof
  missing_since timestamptz, -- since when the record is not found any more
  next_check_at timestamptz not null default now(),
  primary key (tenant_id, host)
);
create unique index tenant_domains_host on tenant_domains (host) where verified_at is not null;
create index tenant_domains_check on tenant_domains (next_check_at) where verified_at is not null;
call isolate('tenant_domains');
call tell_changes('tenant_domains', 'domain', 'tenant', '{host, variant, verified_at}');

-- Lets a host name lead to the current tenant. Its DNS has just shown that, so another tenant loses it.
create function verify_domain(p_host text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update tenant_domains set verified_at = null, missing_since = null where host = p_host and tenant_id <> current_tenant();
  update tenant_domains set verified_at = now(), proven_at = now(), missing_since = null, next_check_at = now() + interval '1 day'
  where host = p_host and tenant_id = current_tenant();
$$;
revoke execute on function verify_domain from public;
alter function verify_domain owner to portico_system;
grant execute on function verify_domain to portico_app;
