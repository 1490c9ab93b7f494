-- Owners of portals add languages.
alter table portal_rules drop constraint portal_rules_language_check;
alter table portal_rules add constraint portal_rules_language_check
  check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$');
-- Guests wait for these tables, which may be large: the next migration checks the rows without a lock.
alter table survey_responses drop constraint survey_responses_language_check;
alter table survey_responses add constraint survey_responses_language_check
  check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$') not valid;
alter table consents drop constraint consents_language_check;
alter table consents add constraint consents_language_check
  check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$') not valid;
