-- Brands whose controller admits guests for the portal.
insert into brands (id, slug, name, logo, guides, position) values
  ('0b0a0000-0000-4000-8000-000000000026', 'omada', 'TP-Link Omada', '/brands/omada.svg',
    '[{"id":"omada-external-portal","title":"Omada external portal","slug":"omada"}]', 26),
  ('0b0a0000-0000-4000-8000-000000000030', 'unifi', 'UniFi', '/brands/unifi.svg',
    '[{"id":"unifi-external-portal","title":"UniFi external portal","slug":"unifi"}]', 30);
insert into brand_models (id, brand_id, name, slug, logo)
select gen_random_uuid(), b.id, m.name, m.slug, b.logo
from brands b
join (values
  ('omada', 'OC200', 'oc200'),
  ('omada', 'OC300', 'oc300'),
  ('omada', 'OC220', 'oc220'),
  ('omada', 'Software controller', 'software'),
  ('unifi', 'Dream Machine', 'udm'),
  ('unifi', 'Dream Machine Pro', 'udm-pro'),
  ('unifi', 'Cloud Gateway', 'cloud-gateway'),
  ('unifi', 'Cloud Key', 'cloud-key'),
  ('unifi', 'Network application', 'network')
) m(brand, name, slug) on m.brand = b.slug;
