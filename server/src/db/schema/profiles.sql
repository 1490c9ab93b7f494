-- Session profiles: how long, how fast and on how many devices a guest may be online.

create table profiles (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  shared_user int not null default 1, -- devices at once per visitor
  session_duration jsonb not null,
  max_upload jsonb not null,
  max_download jsonb not null,
  paid_sale jsonb not null,
  -- Limits that all devices of a visitor share, and the volume of one session.
  daily_duration jsonb not null default '{"is_active": false, "option": "hour", "value": 1}',
  total_duration jsonb not null default '{"is_active": false, "option": "hour", "value": 1}',
  session_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  daily_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  total_quota jsonb not null default '{"is_active": false, "option": "gb", "value": 1}',
  -- The speed once a volume is used up; when it is off, sessions end.
  reduced_speed jsonb not null default '{"is_active": false, "option": "mbps", "value": 1}',
  paid_days_from text not null default 'first-use' check (paid_days_from in ('first-use', 'purchase')),
  external_id text, -- in another system
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index profiles_location on profiles (tenant_id, location_id, id desc);
call have_external_ids('profiles', '{location_id}');
call keep_unchanged('profiles');
call isolate('profiles');
create trigger announce after insert or delete or update on profiles
  for each row execute function announce('profiles', 'location_id');
call tell_changes('profiles', 'profile', 'location_id',
  '{id, name, shared_user, session_duration, max_upload, max_download}',
  '{paid_sale, daily_duration, total_duration, session_quota, daily_quota, total_quota, reduced_speed, paid_days_from}');

-- Tables that are created earlier refer to this one.
alter table locations add foreign key (tenant_id, default_profile_id) references profiles on delete set null (default_profile_id);

-- A limit {is_active, option, value} in seconds; null when it is off.
create function limit_seconds(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    (l->>'value')::bigint * case l->>'option' when 'minute' then 60 when 'hour' then 3600 when 'day' then 86400 end
  end
$$;

-- A limit {is_active, option, value} in bytes; null when it is off. Units are decimal: 1 GB is 10⁹ bytes.
create function limit_bytes(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    ((l->>'value')::numeric * case l->>'option' when 'mb' then 1000000 when 'gb' then 1000000000 when 'tb' then 1000000000000 end)::bigint
  end
$$;

-- A limit {is_active, option, value} in bits per second; null when it is off.
create function limit_bps(l jsonb) returns bigint
language sql immutable parallel safe as $$
  select case when (l->>'is_active')::boolean then
    (l->>'value')::bigint * case l->>'option' when 'kbps' then 1000 when 'mbps' then 1000000 when 'gbps' then 1000000000 end
  end
$$;
