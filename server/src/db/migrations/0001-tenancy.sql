-- Two roles that own nothing: every request of a tenant runs as portico_app behind row-level security,
-- the few system tasks named in withSystem's callers run as portico_system.
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_app') then create role portico_app nologin; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'portico_system') then create role portico_system nologin; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  execute format('grant portico_app, portico_system to %I', current_user);
exception when others then null; end $$;

create extension if not exists pg_trgm;
grant usage on schema public to portico_app, portico_system;

/* The tenant of this transaction; null (so: nothing visible) when none was set. */
create function current_tenant() returns uuid language sql stable parallel safe
as $$ select nullif(current_setting('portico.tenant', true), '')::uuid $$;

/* Puts the fourth wall around a table that has a tenant_id: forced row-level security for portico_app. */
create procedure isolate(t regclass) language plpgsql as $$ begin
  execute format('alter table %s alter column tenant_id set default current_tenant()', t);
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy tenant on %s to portico_app using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', t);
  execute format('create policy system on %s to portico_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %s to portico_app, portico_system', t);
end $$;

create table tenants (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  brand_name text not null,
  brand_long_name text not null,
  primary_color text not null default '#2f71f2',
  landing_logo text,
  landing_background text,
  landing_background_image text,
  landing_title jsonb not null default '{}',
  landing_slogan jsonb not null default '{}',
  landing_copyright jsonb not null default '{}',
  password_min int not null default 6 check (password_min between 6 and 64),
  require_second_factor boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants to portico_app using (id = current_tenant()) with check (id = current_tenant());
create policy system on tenants to portico_system using (true) with check (true);
grant select, update on tenants to portico_app;
grant select, insert, update, delete on tenants to portico_system;

/* Host names that lead to a tenant; looked up before the tenant is known. */
create table tenant_domains (
  tenant_id uuid not null references tenants on delete cascade,
  host text not null primary key check (host = lower(host)),
  variant text not null default 'standard' check (variant in ('standard', 'reseller')),
  created_at timestamptz not null default now()
);
call isolate('tenant_domains');

create table users (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  phone_number text not null default '',
  password_hash text,
  role text not null default 'member' check (role in ('tenant-admin', 'reseller', 'auditor', 'member')),
  active_location_id uuid,
  language text not null default 'en' check (language in ('tr', 'en')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, email);
call isolate('users');

create table tokens (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  name text not null default '',
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index tokens_hash on tokens (tenant_id, hash);
create index tokens_user on tokens (tenant_id, user_id, last_used_at desc);
call isolate('tokens');
