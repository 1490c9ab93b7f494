-- A consent to another sentence, or for another address, ends the one before.
alter table marketing_consents drop constraint marketing_consents_withdrawn_by_check;
alter table marketing_consents add constraint marketing_consents_withdrawn_by_check
  check (withdrawn_by in ('guest', 'staff', 'erasure', 'renewal'));

-- The file for İYS is read in this order.
create index marketing_consents_iys on marketing_consents (tenant_id, recipient, channel, changed_at desc) where recipient is not null;

-- The written answers of a survey can be listed by language.
create index survey_responses_language on survey_responses (tenant_id, survey_id, language, id desc) where answers is not null;
