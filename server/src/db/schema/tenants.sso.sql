-- The identity provider (OpenID Connect) that a tenant's administrators sign in through.
create table sso_providers (
  tenant_id uuid not null primary key references tenants on delete cascade,
  enabled boolean not null,
  label text not null,
  issuer text not null,
  client_id text not null,
  client_secret text not null, -- encrypted with SECRET_KEY
  domains text[] not null, -- of the e-mail addresses that may sign in; each counts while it is proven
  groups_claim text not null,
  create_accounts boolean not null,
  enforced boolean not null, -- no passwords and no passkeys but those of the emergency account
  emergency_user_id uuid,
  proven_at timestamptz, -- the last sign-in with this issuer and client
  updated_at timestamptz not null default now(),
  check (not enforced or (enabled and emergency_user_id is not null)),
  foreign key (tenant_id, emergency_user_id) references users on delete set null (emergency_user_id)
);
create index sso_providers_emergency on sso_providers (tenant_id, emergency_user_id) where emergency_user_id is not null;
call isolate('sso_providers');
create trigger announce_rights after insert or update on sso_providers
  for each row when (new.enforced) execute function announce('rights');
call tell_changes('sso_providers', 'single_sign_on', 'tenant', '{issuer, enabled, enforced, domains, create_accounts}', '{label, client_id, groups_claim}');

-- The rights of the members of a group at the provider.
create table sso_mappings (
  tenant_id uuid not null references sso_providers on delete cascade,
  position int not null,
  group_name text not null, -- *: everyone
  role text not null check (role in ('tenant-admin', 'reseller', 'auditor', 'member')),
  location_id uuid,
  role_id uuid,
  primary key (tenant_id, position),
  check ((role = 'member') = (location_id is not null) and (location_id is null) = (role_id is null)),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, role_id) references roles on delete cascade
);
create index sso_mappings_location on sso_mappings (tenant_id, location_id) where location_id is not null;
create index sso_mappings_role on sso_mappings (tenant_id, role_id) where role_id is not null;
call isolate('sso_mappings');
