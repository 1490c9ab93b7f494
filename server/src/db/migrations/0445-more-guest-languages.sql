-- Guests are spoken to in more languages.
alter table outbox_mails drop constraint outbox_mails_language_check;
alter table outbox_mails add constraint outbox_mails_language_check
  check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'));
alter table portal_rules drop constraint portal_rules_language_check;
alter table portal_rules add constraint portal_rules_language_check
  check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'));
alter table survey_responses drop constraint survey_responses_language_check;
alter table survey_responses add constraint survey_responses_language_check
  check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'));
alter table voucher_cards drop constraint voucher_cards_language_check;
alter table voucher_cards add constraint voucher_cards_language_check
  check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja'));
alter table consents drop constraint consents_language_check;
-- Guests wait for this table, which may be large: the next migration checks the rows without a lock.
alter table consents add constraint consents_language_check
  check (language in ('tr', 'en', 'de', 'ru', 'ar', 'fr', 'es', 'it', 'fa', 'uk', 'zh', 'ja')) not valid;
