-- Captive portals with their drafts and versions, advertisements, surveys (and answers), rules and uploaded pictures.

-- location_id null: a portal of the tenant that can be given to locations; a reseller's own is found by created_by.
create table portals (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  location_id uuid,
  created_by uuid,
  name text not null,
  styles jsonb not null default '{}',
  providers jsonb not null default '[]',
  messages jsonb not null default '{}',
  agreements jsonb not null default '{}',
  draft jsonb, -- unpublished content: {styles, providers, messages, agreements, page, nested}
  draft_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  page jsonb not null default '{}', -- further content of the guests' pages, such as links
  updated_by uuid,
  external_id text, -- in another system
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by),
  foreign key (tenant_id, updated_by) references users on delete set null (updated_by)
);
create index portals_location on portals (tenant_id, location_id, id desc);
call have_external_ids('portals', '{location_id, created_by}');
create index portals_folded_name on portals using gin (fold_text(name) gin_trgm_ops);
call keep_unchanged('portals');
call isolate('portals');
create trigger announce after insert or delete or update on portals
  for each row execute function announce('portals', 'location_id');
-- The locations that show a shared one are told of its end too.
call tell_changes('portals', 'portal', 'location_id', '{id, name}', '{styles, providers, messages, agreements, page}', ends_first => true);

-- Tables that are created earlier refer to this one.
alter table locations add foreign key (tenant_id, portal_id) references portals on delete set null (portal_id);

-- The portal that is shown now by one of these periods; null if none runs. Hours that pass midnight belong to the day on which they
-- begin. The check of overlaps is in contract/src/period-days.ts.
create function portal_of_period(p_tenant uuid, periods jsonb, zone text) returns uuid
language sql stable parallel safe as $$
  select p.id
  from jsonb_to_recordset(periods) as r(portal_id uuid, starts_on date, ends_on date, weekdays int[], from_time time, to_time time)
  cross join (select now() at time zone zone as clock) c
  cross join lateral (select c.clock::date - coalesce((r.to_time < r.from_time and c.clock::time < r.to_time)::int, 0) as day) b
  join portals p on p.tenant_id = p_tenant and p.id = r.portal_id
  where (r.from_time is null or case when r.to_time < r.from_time
      then c.clock::time >= r.from_time or c.clock::time < r.to_time
      else c.clock::time >= r.from_time and c.clock::time < r.to_time end)
    and (r.starts_on is null or b.day >= r.starts_on) and (r.ends_on is null or b.day <= r.ends_on)
    and (r.weekdays is null or extract(isodow from b.day)::int = any(r.weekdays))
  limit 1
$$;

-- The periods with the names of their portals. A portal that was deleted has none.
create function periods_with_portals(p_tenant uuid, periods jsonb) returns jsonb
language sql stable parallel safe as $$
  select coalesce(jsonb_agg(e.it || jsonb_build_object('portal', jsonb_build_object('id', p.id, 'name', p.name)) order by e.n), '[]')
  from jsonb_array_elements(periods) with ordinality as e(it, n)
  join portals p on p.tenant_id = p_tenant and p.id = (e.it->>'portal_id')::uuid
$$;

-- The uploads that a text names, anywhere in it.
create function pictures_in(content text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1]), '{}')
  from regexp_matches(content, '/uploads/[0-9a-f-]{36}/([a-z0-9-]+\.(?:webp|mp4|webm))', 'g') m
$$;

-- Every published content of a portal; guests see the newest. A version never changes, so its pictures are stored with it.
create table portal_versions (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  number int not null,
  name text not null,
  content jsonb not null,
  changes text[] not null default '{}',
  published_by uuid,
  created_at timestamptz not null default now(),
  pictures text[] not null generated always as (
    pictures_in(content::text)
  ) stored,
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, published_by) references users on delete set null (published_by)
);
create unique index portal_versions_number on portal_versions (tenant_id, portal_id, number desc);
call isolate('portal_versions');

-- An item that a published draft or an earlier version leaves out keeps its counts: retired_from names the portal it belonged to.
create table portal_ads (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid,
  name text not null,
  type text not null check (type in ('image', 'embed', 'video')),
  images text[] not null default '{}', -- paths under /uploads/ of the guest origin
  embed_code text,
  retired_from uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  link text,
  starts_on date, -- days of the guest's location
  ends_on date,
  weekdays int[], -- 1 is Monday; null: every day
  languages text[], -- null: all
  weight int not null default 1 check (weight between 1 and 100),
  daily_cap int check (daily_cap between 1 and 100), -- views per guest device and day
  video text, -- path under /uploads/; the first of images is shown until it plays
  seconds int check (seconds between 3 and 30), -- how long the sign-in form waits for the video
  primary key (tenant_id, id),
  check ((portal_id is null) <> (retired_from is null)),
  check (ends_on >= starts_on),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, retired_from) references portals on delete cascade
);
create index portal_ads_portal on portal_ads (tenant_id, portal_id, id);
create index portal_ads_retired on portal_ads (tenant_id, retired_from) where retired_from is not null;
call isolate('portal_ads');
call tell_changes('portal_ads', 'advertisement', 'portal_id', '{id, portal_id, name, type, starts_on, ends_on, weight}',
  '{images, embed_code, link, weekdays, languages, daily_cap, video, seconds}');

create table portal_surveys (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid,
  name text not null,
  questions jsonb not null default '[]',
  retired_from uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check ((portal_id is null) <> (retired_from is null)),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, retired_from) references portals on delete cascade
);
create unique index portal_surveys_portal on portal_surveys (tenant_id, portal_id, id);
create index portal_surveys_retired on portal_surveys (tenant_id, retired_from) where retired_from is not null;
call isolate('portal_surveys');
call tell_changes('portal_surveys', 'survey', 'portal_id', '{id, portal_id, name}', '{questions}');

-- A step before or after a sign-in. A rule can only name a survey of its own portal.
create table portal_rules (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  position int not null,
  state text not null check (state in ('before_login', 'login_successful', 'login_failed')),
  action text not null check (action in ('redirect_to_survey', 'redirect_to_url')),
  survey_id uuid,
  url text, -- for languages without an address in urls
  urls jsonb not null default '{}',
  language text check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (((action = 'redirect_to_survey') = (survey_id is not null)) and ((action = 'redirect_to_url') = (url is not null or urls <> '{}'))),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, portal_id, survey_id) references portal_surveys (tenant_id, portal_id, id) on delete cascade
);
create index portal_rules_portal on portal_rules (tenant_id, portal_id, position, id);
create index portal_rules_survey on portal_rules (tenant_id, survey_id) where survey_id is not null;
call isolate('portal_rules');
call tell_changes('portal_rules', 'portal_rule', 'portal_id', '{id, portal_id, state, action, survey_id, language}', '{position, url, urls}');

-- One row per guest device and survey. Skipped: answers is null. The guest is not asked again.
create table survey_responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  visitor_id uuid, -- null: asked before the sign-in
  session_id uuid,
  language text not null check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'),
  answers jsonb, -- by question: ids of the chosen answers, or the text written; null: skipped
  created_at timestamptz not null default now(),
  address_hash bytea, -- keyed hash of the client's address, for a day; null: answered online
  primary key (tenant_id, id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create unique index survey_responses_once on survey_responses (tenant_id, survey_id, client_mac);
create index survey_responses_newest on survey_responses (tenant_id, survey_id, id desc) where answers is not null;
create index survey_responses_language on survey_responses (tenant_id, survey_id, language, id desc) where answers is not null;
create index survey_responses_visitor on survey_responses (tenant_id, visitor_id) where visitor_id is not null;
create index survey_responses_location on survey_responses (tenant_id, location_id);
create index survey_responses_address on survey_responses (tenant_id, survey_id, address_hash, created_at)
  where address_hash is not null;
-- Answers without a visitor are deleted by age.
create index survey_responses_anonymous on survey_responses (created_at) where visitor_id is null;
call isolate('survey_responses');
create trigger emit_survey_answered after insert on survey_responses
  referencing new table as added for each statement execute function emit_survey_answered();
create trigger delete_deliveries after delete on survey_responses
  for each row execute function delete_deliveries_of_response();

-- Daily totals, updated in the transaction that counts. answer_id '': how many guests answered the question.
create table survey_counts (
  tenant_id uuid not null,
  survey_id uuid not null,
  question_id text not null,
  answer_id text not null,
  location_id uuid not null,
  device_id uuid not null,
  count bigint not null,
  primary key (tenant_id, survey_id, question_id, answer_id, device_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index survey_counts_location on survey_counts (tenant_id, location_id);
call isolate('survey_counts');

create table survey_days (
  tenant_id uuid not null,
  survey_id uuid not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  shown bigint not null default 0,
  answered bigint not null default 0,
  skipped bigint not null default 0,
  primary key (tenant_id, survey_id, day, device_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index survey_days_location on survey_days (tenant_id, location_id);
call isolate('survey_days');

-- The visitors to whom a survey was shown, also before a sign-in or on another device: a visitor is asked once. It does not link answers to visitors.
create table survey_asked (
  tenant_id uuid not null,
  visitor_id uuid not null,
  survey_id uuid not null,
  primary key (tenant_id, visitor_id, survey_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade
);
create index survey_asked_survey on survey_asked (tenant_id, survey_id);
call isolate('survey_asked');

-- Daily totals of questions from 0 to 10: answers of 9 and 10, of 7 and 8, and below.
create table survey_scores (
  tenant_id uuid not null,
  survey_id uuid not null,
  question_id text not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  promoters bigint not null,
  passives bigint not null,
  detractors bigint not null,
  primary key (tenant_id, survey_id, question_id, day, device_id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index survey_scores_location on survey_scores (tenant_id, location_id);
call isolate('survey_scores');

create table ad_days (
  tenant_id uuid not null,
  ad_id uuid not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  views bigint not null,
  clicks bigint not null default 0,
  primary key (tenant_id, ad_id, day, device_id),
  foreign key (tenant_id, ad_id) references portal_ads on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index ad_days_location on ad_days (tenant_id, location_id);
call isolate('ad_days');

-- The views and clicks of one guest device today: for the daily cap, and so that each device counts one click. Deleted after
-- two days.
create table ad_guests (
  tenant_id uuid not null,
  ad_id uuid not null,
  client_mac macaddr not null,
  day date not null,
  views int not null default 0,
  clicked boolean not null default false,
  primary key (tenant_id, ad_id, client_mac, day),
  foreign key (tenant_id, ad_id) references portal_ads on delete cascade
) with (fillfactor = 70);
create index ad_guests_day on ad_guests (day);
call isolate('ad_guests');

-- Uploaded pictures (WebP) and videos, and since when no page shows them.
create table pictures (
  tenant_id uuid not null references tenants on delete cascade,
  file text not null, -- its name under /uploads/{tenant}/
  bytes int not null,
  location_id uuid,
  unused_since timestamptz, -- since when no page shows it; deleted some days later
  created_at timestamptz not null default now(),
  content bytea, -- null until a job has stored the file of an older version
  primary key (tenant_id, file),
  foreign key (tenant_id, location_id) references locations on delete set null (location_id)
);
-- WebP is compressed already.
alter table pictures alter column content set storage external;
create index pictures_location on pictures (tenant_id, location_id);
call isolate('pictures');
-- The jobs of 0.5.0 delete rows whose file is not in their folder. A stored picture goes after its unused days only.
create policy kept on pictures as restrictive for delete to portico_app
  using (content is null or unused_since <= now() - interval '7 days');
