-- The rows are checked while guests sign in.
alter table consents validate constraint consents_language_check;
