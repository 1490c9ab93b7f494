-- An answer is given again only to a user who still has the rights with which it was asked for.
alter table idempotent_replies add column rights jsonb;
