-- Hotel systems that are connected by their own protocol: the state of the link, and the stays that the system reports.

create table hotel_links (
  tenant_id uuid not null,
  integration_id uuid not null,
  location_id uuid not null,
  owner uuid, -- the process that holds the link, until lease_until
  lease_until timestamptz not null default '-infinity',
  state text not null default 'down' check (state in ('down', 'connecting', 'up')),
  up_since timestamptz,
  last_record_at timestamptz,
  swapped_at timestamptz, -- when the system last sent all its guests
  currency text, -- of the rooms' bills; null: no charges
  asked_at timestamptz, -- a system in the cloud is to be read again since then
  primary key (tenant_id, integration_id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index hotel_links_lease on hotel_links (lease_until);
call isolate('hotel_links');
create trigger announce after update of state on hotel_links
  for each row execute function announce('integrations', 'location_id');

-- One guest of one stay. Its name and times are those of the visitor.
create table hotel_stays (
  tenant_id uuid not null,
  visitor_id uuid not null,
  location_id uuid not null,
  integration_id uuid not null,
  external_id text not null, -- that of the visitor
  reservation text not null, -- the number that the system uses for the stay; empty if it has none
  profile_number text, -- of the person
  surname text, -- encrypted with SECRET_KEY
  vip text,
  rate text,
  shared boolean not null default false,
  no_charges boolean not null default false, -- the hotel allows no charges to this room
  left_at timestamptz, -- check-out
  updated_at timestamptz not null default now(),
  primary key (tenant_id, visitor_id),
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index hotel_stays_integration on hotel_stays (tenant_id, integration_id, reservation);
create index hotel_stays_left on hotel_stays (left_at) where left_at is not null;
call isolate('hotel_stays');

-- The details of a stay go with the identity of its guest.
create function forget_stay() returns trigger
language plpgsql as $$
begin
  delete from hotel_stays where tenant_id = new.tenant_id and visitor_id = new.id;
  return null;
end $$;
create trigger forget_stay after update of erased_at on visitors
  for each row when (new.erased_at is not null and old.erased_at is null) execute function forget_stay();
