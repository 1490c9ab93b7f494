-- What is nested in a portal: advertisements, surveys and rules.

create table portal_ads (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  name text not null,
  type text not null check (type in ('image', 'embed')),
  images text[] not null default '{}',
  embed_code text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade
);
comment on column portal_ads.images is 'paths under /uploads/ of the guest origin, as pictures are kept everywhere';
create index portal_ads_portal on portal_ads (tenant_id, portal_id, id);
call isolate('portal_ads');

create table portal_surveys (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  name text not null,
  questions jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade
);
create unique index portal_surveys_portal on portal_surveys (tenant_id, portal_id, id);
call isolate('portal_surveys');

/* A rule can only lead to a survey of its own portal, and goes when that goes. */
create table portal_rules (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  position int not null,
  state text not null check (state in ('before_login', 'login_successful', 'login_failed')),
  action text not null check (action in ('redirect_to_survey', 'redirect_to_url')),
  survey_id uuid,
  url text,
  language text check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, portal_id, survey_id) references portal_surveys (tenant_id, portal_id, id) on delete cascade,
  check ((action = 'redirect_to_survey') = (survey_id is not null) and (action = 'redirect_to_url') = (url is not null))
);
create index portal_rules_portal on portal_rules (tenant_id, portal_id, position, id);
create index portal_rules_survey on portal_rules (tenant_id, survey_id) where survey_id is not null;
call isolate('portal_rules');
