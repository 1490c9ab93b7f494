-- The data of the captive portal: SMS codes, accepted agreements, remembered browsers, redirects and pseudo MACs.

-- The code that a guest device waits for. It is valid for that device only: another one can neither use it nor use up its attempts.
create table sms_codes (
  tenant_id uuid not null,
  location_id uuid not null,
  phone_hash bytea not null, -- keyed hash
  client_mac macaddr not null,
  hash bytea not null, -- of the code
  tries int not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, location_id, phone_hash, client_mac),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index sms_codes_old on sms_codes (expires_at);
call isolate('sms_codes');

-- The agreements of guests, word for word; `version` is a hash of the texts.
create table agreement_versions (
  tenant_id uuid not null references tenants on delete cascade,
  version text not null,
  texts jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);
call isolate('agreement_versions');

-- The visitors who agreed: when first, on which device and in which language.
create table consents (
  tenant_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  version text not null,
  location_id uuid not null,
  language text not null check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'),
  created_at timestamptz not null default now(),
  primary key (tenant_id, visitor_id, client_mac, version),
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, version) references agreement_versions
);
create index consents_version on consents (tenant_id, version);
create index consents_location on consents (tenant_id, location_id);
call isolate('consents');

-- Guests who may continue without signing in when they return: the latest sign-in per guest device and location.
create table remembered_guests (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid not null,
  client_mac macaddr not null,
  token_hash bytea not null, -- SHA-256 of the token in the browser's cookie
  provider_slug text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade
);
create unique index remembered_guests_device on remembered_guests (tenant_id, location_id, client_mac);
create unique index remembered_guests_token on remembered_guests (tenant_id, token_hash);
create index remembered_guests_visitor on remembered_guests (tenant_id, visitor_id);
create index remembered_guests_old on remembered_guests (seen_at);
call isolate('remembered_guests');

-- Guests whom a portal rule sent to another address before their sign-in. They may sign in when they come back.
create table guest_redirects (
  tenant_id uuid not null,
  rule_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  redirected_at timestamptz not null default now(),
  primary key (tenant_id, rule_id, device_id, client_mac),
  foreign key (tenant_id, rule_id) references portal_rules on delete cascade,
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index guest_redirects_device on guest_redirects (tenant_id, device_id);
create index guest_redirects_old on guest_redirects (redirected_at);
call isolate('guest_redirects');

-- Some firewalls (Sophos) do not tell the portal the client's MAC. The browser gets a pseudo MAC in its place,
-- and the first ticket that is redeemed reveals the real one.
create table pseudo_macs (
  tenant_id uuid not null,
  device_id uuid not null,
  pseudo_mac macaddr not null,
  client_mac macaddr not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, device_id, pseudo_mac),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index pseudo_macs_old on pseudo_macs (seen_at);
call isolate('pseudo_macs');

create function save_pseudo_mac(p_tenant uuid, p_device uuid, p_pseudo_mac macaddr, p_mac macaddr) returns void
language sql as $$
  insert into pseudo_macs (tenant_id, device_id, pseudo_mac, client_mac)
  values (p_tenant, p_device, p_pseudo_mac, p_mac)
  on conflict (tenant_id, device_id, pseudo_mac) do update set client_mac = excluded.client_mac, seen_at = now()
$$;

-- Remembers the guest device that redeemed a ticket, tied to a token of its browser. If only its MAC was recognised, it is just seen
-- again. The MAC is the router's, because any browser can tell the portal any MAC.
create function remember_guest(
  p_tenant uuid, p_location uuid, p_visitor uuid, p_mac macaddr, p_by_address boolean, p_slug text, p_token bytea, p_before bytea
) returns void
language plpgsql as $$
begin
  -- Another sign-in of this guest device is being remembered. Waiting for it could deadlock.
  if p_mac is null or not pg_try_advisory_xact_lock(lock_key('remembered', p_location::text || p_mac)) then
    return;
  end if;
  if p_by_address then
    update remembered_guests set seen_at = now()
    where tenant_id = p_tenant and location_id = p_location and client_mac = p_mac and visitor_id = p_visitor;
    return;
  end if;
  -- The browser's earlier device.
  delete from remembered_guests
  where (tenant_id, id) in (
    select r.tenant_id, r.id from remembered_guests r
    where r.tenant_id = p_tenant and r.location_id = p_location and r.client_mac <> p_mac and r.token_hash in (p_before, p_token)
    for update skip locked);
  insert into remembered_guests (tenant_id, id, location_id, visitor_id, client_mac, token_hash, provider_slug)
  values (p_tenant, new_id(), p_location, p_visitor, p_mac, p_token, p_slug)
  on conflict (tenant_id, location_id, client_mac) do update set
    visitor_id = excluded.visitor_id, token_hash = excluded.token_hash, provider_slug = excluded.provider_slug, seen_at = now();
end $$;
