/* Tokens for other people's software, beside those of sign-ins: for some permissions, in one location or (for those who may) all. */
alter table tokens add column scopes text[];
alter table tokens add column location_id uuid;
alter table tokens add foreign key (tenant_id, location_id) references locations on delete cascade;
comment on column tokens.scopes is 'of a personal token: the permissions it may use, of those its owner has; null: a sign-in';
create index tokens_location on tokens (tenant_id, location_id) where location_id is not null;
