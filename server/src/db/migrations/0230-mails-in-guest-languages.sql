-- Mails to guests are in the languages of the portal.
alter table outbox_mails drop constraint outbox_mails_language_check;
alter table outbox_mails add constraint outbox_mails_language_check check (language in ('tr', 'en', 'de', 'ru', 'ar'));
