-- Uploaded pictures: how much room they take, and which of them nothing shows any more.

create table pictures (
  tenant_id uuid not null references tenants on delete cascade,
  file text not null,
  bytes int not null,
  location_id uuid,
  unused_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, file),
  foreign key (tenant_id, location_id) references locations on delete set null (location_id)
);
comment on column pictures.file is 'its name under /uploads/{tenant}/';
comment on column pictures.unused_since is 'since when nothing shows it; it is erased some days later';
create index pictures_location on pictures (tenant_id, location_id);
call isolate('pictures');

/* The uploads that a text names, wherever in it. */
create function pictures_in(content text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1]), '{}') from regexp_matches(content, '/uploads/[0-9a-f-]{36}/([a-z0-9-]+\.webp)', 'g') m
$$;

/* A portal's past is long and never changes: its pictures are looked up once. */
alter table portal_versions add column pictures text[] not null generated always as (pictures_in(content::text)) stored;

/* Whatever shows an upload stands here: what does not, loses its pictures. */
create view used_pictures with (security_invoker = true) as
  select tenant_id, unnest(pictures_in(concat(styles, providers, messages, agreements, draft))) as file from portals
  union all select tenant_id, unnest(pictures) from portal_versions
  union all select tenant_id, unnest(pictures_in(concat(images, embed_code))) from portal_ads
  union all select tenant_id, unnest(pictures_in(questions::text)) from portal_surveys
  union all select tenant_id, unnest(pictures_in(image)) from menu_products where image is not null
  union all select tenant_id, unnest(pictures_in(replace(image, '/menu-', '/menusmall-'))) from menu_products where image is not null
  union all select id, unnest(pictures_in(concat_ws(' ', landing_logo, landing_background, landing_background_image,
    landing_title, landing_slogan, landing_copyright))) from tenants;
grant select on used_pictures to portico_app, portico_system;
