-- What guests answered to surveys, and how often surveys and advertisements were shown to them.

/* One row per guest device and survey: it answered, or skipped it (answers null), and is not asked again. */
create table survey_responses (
  tenant_id uuid not null,
  id uuid not null,
  survey_id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  client_mac macaddr not null,
  visitor_id uuid,
  session_id uuid,
  language text not null check (language in ('tr', 'en', 'de', 'ru', 'ar')),
  answers jsonb,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, survey_id) references portal_surveys on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id)
);
comment on column survey_responses.answers is 'by question: the ids of the answers chosen, or the text written';
comment on column survey_responses.visitor_id is 'null where the guest was asked before it signed in';
create unique index survey_responses_once on survey_responses (tenant_id, survey_id, client_mac);
create index survey_responses_newest on survey_responses (tenant_id, survey_id, id desc) where answers is not null;
create index survey_responses_visitor on survey_responses (tenant_id, visitor_id) where visitor_id is not null;
create index survey_responses_location on survey_responses (tenant_id, location_id);
call isolate('survey_responses');

/* Roll-ups, kept in the transaction that counts. answer_id '': how many answered the question. */
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

create table ad_days (
  tenant_id uuid not null,
  ad_id uuid not null,
  day date not null,
  location_id uuid not null,
  device_id uuid not null,
  views bigint not null,
  primary key (tenant_id, ad_id, day, device_id),
  foreign key (tenant_id, ad_id) references portal_ads on delete cascade,
  foreign key (tenant_id, location_id) references locations on delete cascade
) with (fillfactor = 70);
create index ad_days_location on ad_days (tenant_id, location_id);
call isolate('ad_days');

-- Questions and answers get names of their own, so that what was answered stays with them when they are moved about.
alter table portal_surveys no force row level security;
update portal_surveys s set questions = (
  select coalesce(jsonb_agg(q || jsonb_build_object('id', 'q' || n, 'answers', (
    select coalesce(jsonb_agg(a || jsonb_build_object('id', 'a' || m) order by m), '[]')
    from jsonb_array_elements(coalesce(q->'answers', '[]')) with ordinality as x(a, m))) order by n), '[]')
  from jsonb_array_elements(s.questions) with ordinality as y(q, n));
alter table portal_surveys force row level security;
