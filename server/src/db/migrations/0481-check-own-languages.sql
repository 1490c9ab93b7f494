-- The rows are checked while guests sign in.
alter table survey_responses validate constraint survey_responses_language_check;
alter table consents validate constraint consents_language_check;
