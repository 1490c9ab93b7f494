-- Named views of lists: a user's own, those of a location, and those of the tenant (neither user nor location).

create table saved_views (
  tenant_id uuid not null,
  id uuid not null,
  list text not null check (list in ('visitors', 'online', 'history', 'imported-sessions', 'multiple-sessions', 'devices', 'vouchers', 'batch-vouchers',
    'locations', 'customers', 'portals', 'sales', 'purchases', 'consents', 'audit', 'deliveries', 'messages', 'charges')),
  user_id uuid,
  location_id uuid,
  name text not null,
  search jsonb not null, -- filters, search text, order and page size
  hidden text[] not null, -- columns
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  check (user_id is null or location_id is null)
);
create unique index saved_views_name on saved_views (tenant_id, list, user_id, location_id, name) nulls not distinct;
create index saved_views_user on saved_views (tenant_id, user_id) where user_id is not null;
create index saved_views_location on saved_views (tenant_id, location_id) where location_id is not null;
call isolate('saved_views');
