-- Panel users, their tokens, password reset and address confirmation.

create table users (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  email text not null check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  phone_number text not null default '',
  password_hash text, -- null: an invited user that has not set one
  role text not null default 'member' check (role in ('tenant-admin', 'reseller', 'auditor', 'member')),
  active_location_id uuid,
  language text not null default 'en' check (language in ('tr', 'en')),
  email_confirmed_at timestamptz default now(), -- null: registered without confirming the address yet
  first_signed_in_at timestamptz, -- null: the account was never used
  totp_secret text, -- encrypted with SECRET_KEY
  totp_enabled boolean not null default false,
  totp_step bigint not null default 0, -- the 30-second step of the last code (RFC 6238); that step or an older one is a replay
  recovery_codes bytea[] not null default '{}', -- hashes
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, email);
call isolate('users');
call tell_changes('users', 'user', 'tenant', '{id, first_name, last_name, email, role, language}', '{phone_number, email_confirmed_at}');
-- Open streams of changes look at the rights of their reader again. So they do after changes of tokens and members.
create trigger announce_rights after update on users
  for each row when (old.role <> new.role or old.totp_enabled and not new.totp_enabled) execute function announce('rights');

-- Sign-ins and personal access tokens.
create table tokens (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null, -- SHA-256 of the token
  name text not null default '',
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  scopes text[], -- permissions of a personal token; null: a sign-in
  location_id uuid, -- a personal token for one location; null: for all of its owner
  by_provider boolean not null default false, -- a sign-in through the tenant's identity provider
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index tokens_hash on tokens (tenant_id, hash);
create index tokens_user on tokens (tenant_id, user_id, last_used_at desc);
create index tokens_location on tokens (tenant_id, location_id) where location_id is not null;
call isolate('tokens');
create trigger announce_rights after delete on tokens for each row execute function announce('rights');

-- Passkeys of panel users (WebAuthn). Each works on the host name where it was made.
create table passkeys (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  host text not null, -- the relying party: the host name of the panel
  credential_id bytea not null,
  public_key bytea not null, -- COSE
  user_handle bytea not null, -- what the passkey knows its user by: reveals nothing
  counter bigint not null, -- of the last use; 0 where the authenticator does not count
  transports text[] not null,
  name text not null,
  signs_in_alone boolean not null default true, -- false after a reset of the password, until it was used with the new one
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index passkeys_credential on passkeys (tenant_id, host, credential_id);
create index passkeys_user on passkeys (tenant_id, user_id, created_at);
call isolate('passkeys');
create trigger announce_rights after delete on passkeys for each row execute function announce('rights');

-- Questions to passkeys that wait for their answer. Each is for one browser and is answered once.
create table passkey_challenges (
  tenant_id uuid not null references tenants on delete cascade,
  browser bytea not null, -- SHA-256 of the cookie of the browser that asked
  purpose text not null check (purpose in ('register', 'sign-in', 'second-factor')),
  user_id uuid, -- null: a sign-in without password, where the passkey names the user
  host text not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, browser),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index passkey_challenges_user on passkey_challenges (tenant_id, user_id) where user_id is not null;
create index passkey_challenges_expired on passkey_challenges (expires_at);
call isolate('passkey_challenges');

-- The codes of a forgotten password: one per user and source, five attempts.
create table reset_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  attempts int not null default 0,
  sent int not null default 1, -- codes sent since sent_since, for the limit per hour
  sent_since timestamptz not null default now(),
  expires_at timestamptz not null,
  source bytea not null, -- keyed hash of the network or the known browser that asked for it
  primary key (tenant_id, user_id, source),
  foreign key (tenant_id, user_id) references users on delete cascade
);
call isolate('reset_codes');

-- Links that confirm an e-mail address: the new one of a panel user, or a visitor's.
create table email_confirmations (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid,
  visitor_id uuid,
  email text not null,
  hash bytea not null, -- SHA-256 of the token in the link
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (tenant_id, id),
  check (num_nonnulls(user_id, visitor_id) = 1),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index email_confirmations_hash on email_confirmations (tenant_id, hash);
create index email_confirmations_user on email_confirmations (tenant_id, user_id) where user_id is not null;
create index email_confirmations_visitor on email_confirmations (tenant_id, visitor_id) where visitor_id is not null;
create index email_confirmations_old on email_confirmations (expires_at);
call isolate('email_confirmations');

-- Users who leave the location in which they work go on in the next one where they are members, else in none.
create function move_to_next_location(p_location uuid, p_users uuid[]) returns void
language plpgsql as $$
begin
  update users u set active_location_id = (
    select m.location_id from location_members m
    where m.tenant_id = u.tenant_id and m.user_id = u.id and m.location_id <> p_location
    order by m.created_at
    limit 1)
  where u.tenant_id = current_tenant() and u.id = any(p_users) and u.active_location_id = p_location;
end $$;
