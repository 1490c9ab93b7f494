/* Guests who may go straight on when they come again: one per guest device and location, the latest sign-in. */
create table remembered_guests (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  token_hash bytea not null,
  provider_slug text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
comment on column remembered_guests.token_hash is 'SHA-256 of what the cookie of the guest''s browser holds';
create unique index remembered_guests_device on remembered_guests (tenant_id, location_id, client_mac);
create unique index remembered_guests_token on remembered_guests (tenant_id, token_hash);
create index remembered_guests_visitor on remembered_guests (tenant_id, visitor_id);
create index remembered_guests_old on remembered_guests (seen_at);
call isolate('remembered_guests');
