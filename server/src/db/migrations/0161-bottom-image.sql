-- A picture beside the copyright of the sign-in page.
alter table tenants add column landing_bottom_image text;
create or replace view used_pictures with (security_invoker = true) as
  select tenant_id, unnest(pictures_in(concat(styles, providers, messages, agreements, draft))) as file from portals
  union all
  select tenant_id, unnest(pictures) from portal_versions
  union all
  select tenant_id, unnest(pictures_in(concat(images, embed_code))) from portal_ads
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
