-- Tenants that move to another installation, or came from one. These rows stay when the tenant is gone, so its id is not in a
-- tenant_id.
create table tenant_moves (
  tenant uuid primary key,
  move_id uuid not null, -- the same in both installations
  slug text not null,
  hosts text[] not null,
  direction text not null check (direction in ('out', 'in')),
  -- out: frozen, moved (the other installation serves it), left (its rows are removed here); in: arriving, arrived
  state text not null check (state in ('frozen', 'moved', 'left', 'arriving', 'arrived')),
  panel_url text, -- of the other installation, for a tenant that moved there
  captive_url text,
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index tenant_moves_slug on tenant_moves (slug); -- not unique: a name may be used again
grant select, insert, update, delete on tenant_moves to portico_system;

-- The routers of a tenant that moves. Where it left, they are told the new address. Where it arrived, the row goes once the
-- router has set itself up for this installation.
create table moved_routers (
  nas_identifier text primary key,
  id uuid not null default new_id(), -- names the script in the router's answer
  tenant uuid not null references tenant_moves on delete cascade,
  poll_tokens bytea[] not null, -- as in devices
  brand text not null
);
create index moved_routers_tenant on moved_routers (tenant);
grant select, insert, update, delete on moved_routers to portico_system;

-- The keys of hashes and signatures of a tenant that came from another installation. Without them the
-- printed codes and stored files of that time would not be valid. All processes keep them in memory.
create table tenant_keys (
  tenant uuid primary key,
  keys text not null -- encrypted with SECRET_KEY
);
grant select, insert, update, delete on tenant_keys to portico_system;

-- Trigger on the tables of a tenant that is frozen: see db/tenant-freeze.ts.
create function refuse_moving() returns trigger
language plpgsql as $$
begin
  raise exception 'the tenant is being moved' using errcode = 'PTMOV';
end $$;
