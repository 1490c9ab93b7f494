-- A guest does not delete such a visitor with its own data. Visitors made before are not marked.
alter table visitors add column made_by_staff boolean not null default false;
