-- Advertisements may be videos, which the sign-in form can wait for. They are stored with the pictures.
alter table portal_ads drop constraint portal_ads_type_check;
alter table portal_ads add constraint portal_ads_type_check check (type in ('image', 'embed', 'video'));
alter table portal_ads add column video text;
alter table portal_ads add column seconds int check (seconds between 3 and 30);
drop trigger tell_changes on portal_ads;
call tell_changes('portal_ads', 'advertisement', 'portal_id', '{id, portal_id, name, type, starts_on, ends_on, weight}',
  '{images, embed_code, link, weekdays, languages, daily_cap, video, seconds}');

-- No stored content names a video yet, so the generated columns that use this function stay as they are.
create or replace function pictures_in(content text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct m[1]), '{}')
  from regexp_matches(content, '/uploads/[0-9a-f-]{36}/([a-z0-9-]+\.(?:webp|mp4|webm))', 'g') m
$$;

create or replace view used_pictures with (security_invoker = true) as
  select tenant_id, unnest(pictures_in(concat(styles, providers, messages, agreements, page, draft))) as file from portals
  union all
  select tenant_id, unnest(pictures_in(replace(concat(styles, draft), '/photo-', '/photosmall-'))) from portals
  union all
  select tenant_id, unnest(pictures) from portal_versions
  union all
  select tenant_id, replace(file, 'photo-', 'photosmall-') from portal_versions, unnest(pictures) as file
  union all
  select tenant_id, unnest(pictures_in(concat(images, embed_code, video))) from portal_ads
  union all
  select tenant_id, unnest(pictures_in(questions::text)) from portal_surveys
  union all
  select tenant_id, unnest(pictures_in(image)) from menu_products where image is not null
  union all
  select tenant_id, unnest(pictures_in(replace(image, '/menu-', '/menusmall-'))) from menu_products where image is not null
  union all
  select id, unnest(pictures_in(concat_ws(' ', landing_logo, landing_background, landing_background_image,
    landing_bottom_image, landing_title, landing_slogan, landing_copyright)))
  from tenants;
