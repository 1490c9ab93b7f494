create table visitors (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  profile_id uuid,
  device_id uuid,
  name text not null,
  provider_type text not null check (provider_type in ('citizen-id', 'room-number', 'sms', 'username', 'temp', 'email')),
  username text,
  password text,
  citizen_id text,
  citizen_id_hash bytea,
  room_number text,
  birth_date text,
  email text,
  phone text,
  session_start_at timestamptz,
  session_end_at timestamptz,
  special_profile boolean not null default false,
  shared_user int not null default 1,
  session_duration jsonb not null,
  max_upload jsonb not null,
  max_download jsonb not null,
  total_paid_day int not null default 0,
  blocked boolean not null default false,
  email_confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, device_id) references devices on delete set null (device_id)
);
comment on column visitors.password is 'encrypted with SECRET_KEY';
comment on column visitors.citizen_id is 'encrypted with SECRET_KEY; found by citizen_id_hash';
comment on column visitors.birth_date is 'encrypted with SECRET_KEY';
create unique index visitors_username on visitors (tenant_id, location_id, username) where username is not null;
create unique index visitors_citizen on visitors (tenant_id, location_id, citizen_id_hash) where citizen_id_hash is not null;
create index visitors_room on visitors (tenant_id, location_id, room_number) where room_number is not null;
create index visitors_phone on visitors (tenant_id, location_id, phone) where phone is not null;
create index visitors_email on visitors (tenant_id, location_id, email) where email is not null;
create index visitors_location on visitors (tenant_id, location_id, id desc);
create index visitors_profile on visitors (tenant_id, profile_id);
create index visitors_search on visitors using gin
  ((name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(room_number, '')) gin_trgm_ops);
call isolate('visitors');
