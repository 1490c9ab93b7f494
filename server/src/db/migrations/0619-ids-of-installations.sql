-- Two installations with one place for backups would remove each other's, so the place names its installation.
alter table installation add column id uuid not null default gen_random_uuid();
