insert into brands (id, slug, name, logo, guides, position) values
  ('0b0a0000-0000-4000-8000-000000000004', 'coovachilli', 'CoovaChilli', '/brands/coovachilli.svg',
    '[{"id":"coovachilli-uam","title":"CoovaChilli","slug":"coovachilli"}]', 4),
  ('0b0a0000-0000-4000-8000-000000000006', 'uspot', 'uspot (OpenWrt)', '/brands/uspot.svg',
    '[{"id":"uspot-uam","title":"uspot on OpenWrt","slug":"uspot"}]', 6),
  ('0b0a0000-0000-4000-8000-000000000007', 'uam', 'Other (UAM)', '/brands/uam.svg',
    '[{"id":"uam","title":"Other gateways with UAM","slug":"uam"}]', 99);
