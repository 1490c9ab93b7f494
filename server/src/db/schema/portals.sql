-- Captive portals with their drafts and versions, advertisements, surveys (and answers), rules and uploaded pictures.

-- location_id null: a portal of the tenant that can be given to locations; a reseller's own is found by created_by.
create table portals (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  location_id uuid,
  created_by uuid,
  name text not null,
  styles jsonb not null default '{}',
  providers jsonb not null default '[]',
  messages jsonb not null default '{}',
  agreements jsonb not null default '{}',
  draft jsonb, -- unpublished content: {styles, providers, messages, agreements, page, nested}
  draft_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  page jsonb not null default '{}', -- further content of the guests' pages, such as links
  updated_by uuid,
  external_id text, -- in another system
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by),
  foreign key (tenant_id, updated_by) references users on delete set null (updated_by)
);
create index portals_location on portals (tenant_id, location_id, id desc);
call have_external_ids('portals', '{location_id, created_by}');
create index portals_folded_name on portals using gin (fold_text(name) gin_trgm_ops);
