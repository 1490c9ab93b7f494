-- Guests see what is kept of them and have it deleted.

/* Who a visitor was that had itself deleted, for as long as the law wants to know whose sessions there were; no key leads from here. */
create table erased_guests (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  identity jsonb not null,
  consents jsonb not null,
  erased_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
comment on column erased_guests.id is 'of the visitor that was';
comment on column erased_guests.identity is 'what the report for authorities tells of a visitor; what was encrypted still is';
create index erased_guests_location on erased_guests (tenant_id, location_id);
create index erased_guests_old on erased_guests (erased_at);
call isolate('erased_guests');
