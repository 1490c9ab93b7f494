-- Answers of guests whom no router vouches for are limited by where they come from.

alter table survey_responses add address_hash bytea;
comment on column survey_responses.address_hash is 'keyed hash of the address that it came from, for a day; null where the guest was online';
create index survey_responses_address on survey_responses (tenant_id, survey_id, address_hash, created_at) where address_hash is not null;
