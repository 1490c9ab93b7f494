/* A draft is a whole content that guests do not see: {styles, providers, messages, agreements}. */
alter table portals add draft jsonb, add draft_at timestamptz;

/* What guests saw, version by version; the newest is what they see. */
create table portal_versions (
  tenant_id uuid not null,
  id uuid not null,
  portal_id uuid not null,
  number int not null,
  name text not null,
  content jsonb not null,
  changes text[] not null default '{}',
  published_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, portal_id) references portals on delete cascade,
  foreign key (tenant_id, published_by) references users on delete set null (published_by)
);
create unique index portal_versions_number on portal_versions (tenant_id, portal_id, number desc);
call isolate('portal_versions');

insert into portal_versions (tenant_id, id, portal_id, number, name, content, published_by, created_at)
select tenant_id, gen_random_uuid(), id, 1, name,
  jsonb_build_object('styles', styles, 'providers', providers, 'messages', messages, 'agreements', agreements), created_by, updated_at
from portals;
