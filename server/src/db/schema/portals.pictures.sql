-- Every place that can show an upload. A picture that is in none of them is deleted after some days.
create view used_pictures with (security_invoker = true) as
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
grant select on used_pictures to portico_app, portico_system;
