-- The accounts of users at identity providers. An account is named by issuer and subject, never by its e-mail address.
create table sso_links (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  email text, -- as the provider gave it last
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index sso_links_subject on sso_links (tenant_id, issuer, subject);
create unique index sso_links_user on sso_links (tenant_id, user_id, issuer);
create index sso_links_recent on sso_links (tenant_id, last_used_at desc, id);
call isolate('sso_links');

-- Sign-ins through the provider that wait for their answer. Each is for one browser and is answered once.
create table sso_attempts (
  tenant_id uuid not null references tenants on delete cascade,
  browser bytea not null, -- SHA-256 of the cookie of the browser that began
  attempt text not null, -- state, nonce, verifier, provider and address; encrypted with SECRET_KEY
  expires_at timestamptz not null,
  primary key (tenant_id, browser)
);
create index sso_attempts_expired on sso_attempts (expires_at);
call isolate('sso_attempts');
