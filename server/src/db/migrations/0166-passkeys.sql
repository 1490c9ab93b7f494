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
