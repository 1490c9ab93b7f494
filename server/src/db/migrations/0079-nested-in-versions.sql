/*
 * Surveys and advertisements that a published draft or an earlier version leaves out are laid aside, with all that was counted of
 * them, so that going back finds it again. They belong to no portal then: whatever looks for a portal's own does not find them.
 */
alter table portal_surveys
  alter portal_id drop not null,
  add retired_from uuid,
  add foreign key (tenant_id, retired_from) references portals on delete cascade,
  add check ((portal_id is null) <> (retired_from is null));
create index portal_surveys_retired on portal_surveys (tenant_id, retired_from) where retired_from is not null;

alter table portal_ads
  alter portal_id drop not null,
  add retired_from uuid,
  add foreign key (tenant_id, retired_from) references portals on delete cascade,
  add check ((portal_id is null) <> (retired_from is null));
create index portal_ads_retired on portal_ads (tenant_id, retired_from) where retired_from is not null;
