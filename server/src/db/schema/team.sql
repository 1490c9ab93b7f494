-- The rights of people at a location: roles, members and invitations.

-- Named sets of permissions. location_id null: a role of the whole tenant.
create table roles (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  guard_name text not null default 'web', -- part of the API; always web
  permissions text[] not null,
  location_id uuid,
  -- the built-in role that this is: what a reset restores, and which translation its name has
  built_in text check (built_in in ('manager', 'reception', 'technician', 'viewer')),
  primary key (tenant_id, id),
  check (built_in is null or location_id is null),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create unique index roles_name on roles (tenant_id, location_id, lower(name)) nulls not distinct;
call isolate('roles');
call tell_changes('roles', 'role', 'location_id', '{id, name, permissions}');
create trigger announce after insert or delete or update on roles
  for each row execute function announce('team', 'location_id');

-- The permissions that a tenant's role has at one location instead of its own.
create table role_adjustments (
  tenant_id uuid not null,
  location_id uuid not null,
  role_id uuid not null,
  permissions text[] not null,
  primary key (tenant_id, location_id, role_id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, role_id) references roles on delete cascade
);
create index role_adjustments_role on role_adjustments (tenant_id, role_id);
call isolate('role_adjustments');
call tell_changes('role_adjustments', 'role_adjustment', 'location_id', '{role_id, permissions}');
create trigger announce after insert or delete or update on role_adjustments
  for each row execute function announce('team', 'location_id');

create table location_members (
  tenant_id uuid not null,
  location_id uuid not null,
  user_id uuid not null,
  permissions text[] not null,
  device_ids uuid[], -- null: every device of the location
  role_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, location_id, user_id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index location_members_user on location_members (tenant_id, user_id, location_id);
call isolate('location_members');
call tell_changes('location_members', 'member', 'location_id', '{user_id, permissions, device_ids, role_ids}');
create trigger announce_rights after insert or delete or update on location_members
  for each row execute function announce('rights');

create table invitations (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null default '',
  last_name text not null default '',
  permissions text[] not null,
  device_ids uuid[], -- null: every device of the location
  role_ids uuid[] not null default '{}',
  token_hash bytea not null, -- SHA-256 of the token in the link
  invited_by uuid,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent int not null default 1,
  expires_at timestamptz not null,
  closed_as text check (closed_as in ('accepted', 'denied', 'cancelled')),
  closed_at timestamptz,
  primary key (tenant_id, id),
  check ((closed_as is null) = (closed_at is null)),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, invited_by) references users on delete set null (invited_by)
);
create unique index invitations_token on invitations (tenant_id, token_hash);
create unique index invitations_open on invitations (tenant_id, location_id, email) where closed_as is null;
create index invitations_email on invitations (tenant_id, email) where closed_as is null;
call isolate('invitations');
call tell_changes('invitations', 'invitation', 'location_id', '{id, role_ids, expires_at, closed_as}',
  '{permissions, device_ids, times_sent}');

-- Makes a user the first manager of a location.
create function add_manager(p_location uuid, p_user uuid, p_permissions text[]) returns void
language sql as $$
  insert into location_members (location_id, user_id, permissions, role_ids)
  values (p_location, p_user, p_permissions,
    array(select id from roles where tenant_id = current_tenant() and built_in = 'manager'))
$$;

create function add_built_in_role(p_tenant uuid, p_id uuid, p_name text, p_built_in text, p_permissions text[]) returns void
language sql as $$
  insert into roles (tenant_id, id, name, built_in, permissions)
  values (p_tenant, p_id, p_name, p_built_in, p_permissions)
$$;
