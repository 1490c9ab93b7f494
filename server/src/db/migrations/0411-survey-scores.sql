-- Whom a survey was shown to, also before a sign-in or on another device: a visitor is asked once. It does not tell which answers are whose.
create table survey_asked (
  tenant_id uuid not null,
  visitor_id uuid not null,
  survey_id uuid not null,
  primary key (tenant_id, visitor_id, survey_id),
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
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
