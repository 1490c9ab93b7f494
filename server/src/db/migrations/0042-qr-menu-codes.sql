/* Where the printed code of a desk leads: unique among all tenants, as a guest's phone knows no tenant. */
alter table menu_desks add code text;
update menu_desks set code = substr(replace(gen_random_uuid()::text, '-', ''), 1, 12);
alter table menu_desks alter code set not null, add check (code ~ '^[a-z0-9]{10,16}$');
create unique index menu_desks_code on menu_desks (code);

/* A picture's path without its ending: it is kept in two sizes. */
alter table menu_products add image text;

create table menu_scans (
  tenant_id uuid not null,
  desk_id uuid not null,
  number int not null,
  day date not null,
  scans int not null default 1,
  last_scanned_at timestamptz not null default now(),
  primary key (tenant_id, desk_id, number, day),
  foreign key (tenant_id, desk_id) references menu_desks on delete cascade
);
call isolate('menu_scans');
