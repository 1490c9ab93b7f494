-- Routers (devices) with their networks, MAC rules, queued commands, setup scripts and RadSec certificates.

-- Brands and models are the product's own data: equal for every tenant, changed by migrations only.
create table brands (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  logo text not null,
  guides jsonb not null default '[]',
  position int not null
);

create table brand_models (
  id uuid primary key,
  brand_id uuid not null references brands,
  name text not null,
  slug text not null,
  logo text not null,
  unique (brand_id, slug)
);
grant select on brands, brand_models to portico_app, portico_system;

insert into brands (id, slug, name, logo, guides, position) values
  ('0b0a0000-0000-4000-8000-000000000001', 'mikrotik', 'MikroTik', '/brands/mikrotik.svg',
    '[{"id":"mikrotik-hotspot","title":"MikroTik hotspot","slug":"mikrotik"}]', 1),
  ('0b0a0000-0000-4000-8000-000000000002', 'sophos', 'Sophos', '/brands/sophos.svg',
    '[{"id":"sophos-captive-portal","title":"Sophos captive portal","slug":"sophos"}]', 2),
  ('0b0a0000-0000-4000-8000-000000000003', 'watchguard', 'WatchGuard', '/brands/watchguard.svg',
    '[{"id":"watchguard-external-guest","title":"WatchGuard external guest authentication","slug":"watchguard"}]', 3),
  ('0b0a0000-0000-4000-8000-000000000004', 'coovachilli', 'CoovaChilli', '/brands/coovachilli.svg',
    '[{"id":"coovachilli-uam","title":"CoovaChilli","slug":"coovachilli"}]', 4),
  ('0b0a0000-0000-4000-8000-000000000005', 'opennds', 'openNDS', '/brands/opennds.svg',
    '[{"id":"opennds-fas","title":"openNDS","slug":"opennds"}]', 5),
  ('0b0a0000-0000-4000-8000-000000000006', 'uspot', 'uspot (OpenWrt)', '/brands/uspot.svg',
    '[{"id":"uspot-uam","title":"uspot on OpenWrt","slug":"uspot"}]', 6),
  ('0b0a0000-0000-4000-8000-000000000007', 'uam', 'Other (UAM)', '/brands/uam.svg',
    '[{"id":"uam","title":"Other gateways with UAM","slug":"uam"}]', 99),
  ('0b0a0000-0000-4000-8000-000000000020', 'aruba', 'Aruba', '/brands/aruba.svg',
    '[{"id":"aruba-external-portal","title":"Aruba external captive portal","slug":"aruba"}]', 20),
  ('0b0a0000-0000-4000-8000-000000000021', 'cambium', 'Cambium', '/brands/cambium.svg',
    '[{"id":"cambium-external-hotspot","title":"Cambium external hotspot","slug":"cambium"}]', 21),
  ('0b0a0000-0000-4000-8000-000000000022', 'cisco', 'Cisco', '/brands/cisco.svg',
    '[{"id":"cisco-web-authentication","title":"Cisco external web authentication","slug":"cisco"}]', 22),
  ('0b0a0000-0000-4000-8000-000000000023', 'fortigate', 'FortiGate', '/brands/fortigate.svg',
    '[{"id":"fortigate-external-portal","title":"FortiGate external captive portal","slug":"fortigate"}]', 23),
  ('0b0a0000-0000-4000-8000-000000000024', 'meraki', 'Meraki (sign-on)', '/brands/meraki.svg',
    '[{"id":"meraki-sign-on","title":"Meraki sign-on splash","slug":"meraki"}]', 24),
  ('0b0a0000-0000-4000-8000-000000000025', 'meraki-click', 'Meraki (click-through)', '/brands/meraki-click.svg',
    '[{"id":"meraki-click-through","title":"Meraki click-through splash","slug":"meraki-click"}]', 25),
  ('0b0a0000-0000-4000-8000-000000000027', 'opnsense', 'OPNsense', '/brands/opnsense.svg',
    '[{"id":"opnsense-captive-portal","title":"OPNsense captive portal","slug":"opnsense"}]', 27),
  ('0b0a0000-0000-4000-8000-000000000028', 'pfsense', 'pfSense', '/brands/pfsense.svg',
    '[{"id":"pfsense-captive-portal","title":"pfSense captive portal","slug":"pfsense"}]', 28),
  ('0b0a0000-0000-4000-8000-000000000029', 'ruckus', 'Ruckus', '/brands/ruckus.svg',
    '[{"id":"ruckus-wispr","title":"Ruckus hotspot (WISPr)","slug":"ruckus"}]', 29),
  ('0b0a0000-0000-4000-8000-000000000026', 'omada', 'TP-Link Omada', '/brands/omada.svg',
    '[{"id":"omada-external-portal","title":"Omada external portal","slug":"omada"}]', 26),
  ('0b0a0000-0000-4000-8000-000000000030', 'unifi', 'UniFi', '/brands/unifi.svg',
    '[{"id":"unifi-external-portal","title":"UniFi external portal","slug":"unifi"}]', 30);
insert into brand_models (id, brand_id, name, slug, logo)
select gen_random_uuid(), b.id, m.name, m.slug, b.logo
from brands b
join (values
  ('mikrotik', 'hAP ax²', 'hap-ax2'),
  ('mikrotik', 'hEX S', 'hex-s'),
  ('mikrotik', 'RB4011', 'rb4011'),
  ('mikrotik', 'RB5009', 'rb5009'),
  ('mikrotik', 'CCR2004', 'ccr2004'),
  ('mikrotik', 'CHR', 'chr'),
  ('sophos', 'XGS 87', 'xgs-87'),
  ('sophos', 'XGS 116', 'xgs-116'),
  ('sophos', 'XGS 2100', 'xgs-2100'),
  ('sophos', 'SFOS virtual', 'sfos-virtual'),
  ('watchguard', 'Firebox T25', 'firebox-t25'),
  ('watchguard', 'Firebox T45', 'firebox-t45'),
  ('watchguard', 'Firebox M290', 'firebox-m290'),
  ('watchguard', 'FireboxV', 'firebox-v'),
  ('mikrotik', 'hAP ax lite', 'hap-ax-lite'),
  ('mikrotik', 'hAP ax³', 'hap-ax3'),
  ('mikrotik', 'hAP ax S', 'hap-ax-s'),
  ('mikrotik', 'hAP ac²', 'hap-ac2'),
  ('mikrotik', 'hAP ac³', 'hap-ac3'),
  ('mikrotik', 'hAP ac', 'hap-ac'),
  ('mikrotik', 'hAP ac lite', 'hap-ac-lite'),
  ('mikrotik', 'hAP lite', 'hap-lite'),
  ('mikrotik', 'hAP mini', 'hap-mini'),
  ('mikrotik', 'hEX', 'hex'),
  ('mikrotik', 'hEX lite', 'hex-lite'),
  ('mikrotik', 'hEX PoE', 'hex-poe'),
  ('mikrotik', 'hEX PoE lite', 'hex-poe-lite'),
  ('mikrotik', 'PowerBox Pro', 'powerbox-pro'),
  ('mikrotik', 'L009UiGS', 'l009uigs'),
  ('mikrotik', 'RB2011', 'rb2011'),
  ('mikrotik', 'RB3011', 'rb3011'),
  ('mikrotik', 'RB450Gx4', 'rb450gx4'),
  ('mikrotik', 'RB951', 'rb951'),
  ('mikrotik', 'RB1100AHx4', 'rb1100ahx4'),
  ('mikrotik', 'CCR1009', 'ccr1009'),
  ('mikrotik', 'CCR1016', 'ccr1016'),
  ('mikrotik', 'CCR1036', 'ccr1036'),
  ('mikrotik', 'CCR1072', 'ccr1072'),
  ('mikrotik', 'CCR2004-1G-12S+2XS', 'ccr2004-1g-12s-plus2xs'),
  ('mikrotik', 'CCR2004-16G-2S+', 'ccr2004-16g-2s-plus'),
  ('mikrotik', 'CCR2116', 'ccr2116'),
  ('mikrotik', 'CCR2216', 'ccr2216'),
  ('mikrotik', 'Chateau', 'chateau'),
  ('mikrotik', 'Audience', 'audience'),
  ('mikrotik', 'wAP ax', 'wap-ax'),
  ('mikrotik', 'wAP ac', 'wap-ac'),
  ('mikrotik', 'cAP ax', 'cap-ax'),
  ('mikrotik', 'cAP ac', 'cap-ac'),
  ('mikrotik', 'cAP XL ac', 'cap-xl-ac'),
  ('mikrotik', 'LtAP', 'ltap'),
  ('mikrotik', 'RouterOS x86', 'routeros-x86'),
  ('sophos', 'XGS 87w', 'xgs-87w'),
  ('sophos', 'XGS 88', 'xgs-88'),
  ('sophos', 'XGS 88w', 'xgs-88w'),
  ('sophos', 'XGS 107', 'xgs-107'),
  ('sophos', 'XGS 107w', 'xgs-107w'),
  ('sophos', 'XGS 108', 'xgs-108'),
  ('sophos', 'XGS 108w', 'xgs-108w'),
  ('sophos', 'XGS 116w', 'xgs-116w'),
  ('sophos', 'XGS 118', 'xgs-118'),
  ('sophos', 'XGS 118w', 'xgs-118w'),
  ('sophos', 'XGS 126', 'xgs-126'),
  ('sophos', 'XGS 126w', 'xgs-126w'),
  ('sophos', 'XGS 128', 'xgs-128'),
  ('sophos', 'XGS 128w', 'xgs-128w'),
  ('sophos', 'XGS 136', 'xgs-136'),
  ('sophos', 'XGS 136w', 'xgs-136w'),
  ('sophos', 'XGS 138', 'xgs-138'),
  ('sophos', 'XGS 2300', 'xgs-2300'),
  ('sophos', 'XGS 3100', 'xgs-3100'),
  ('sophos', 'XGS 3300', 'xgs-3300'),
  ('sophos', 'XGS 4300', 'xgs-4300'),
  ('sophos', 'XGS 4500', 'xgs-4500'),
  ('sophos', 'XGS 5500', 'xgs-5500'),
  ('sophos', 'XGS 6500', 'xgs-6500'),
  ('sophos', 'XGS 7500', 'xgs-7500'),
  ('sophos', 'XGS 8500', 'xgs-8500'),
  ('sophos', 'XG 86', 'xg-86'),
  ('sophos', 'XG 106', 'xg-106'),
  ('sophos', 'XG 115', 'xg-115'),
  ('sophos', 'XG 125', 'xg-125'),
  ('sophos', 'XG 135', 'xg-135'),
  ('sophos', 'XG 210', 'xg-210'),
  ('sophos', 'XG 230', 'xg-230'),
  ('sophos', 'XG 310', 'xg-310'),
  ('sophos', 'XG 330', 'xg-330'),
  ('watchguard', 'Firebox T15', 'firebox-t15'),
  ('watchguard', 'Firebox T20', 'firebox-t20'),
  ('watchguard', 'Firebox T35', 'firebox-t35'),
  ('watchguard', 'Firebox T40', 'firebox-t40'),
  ('watchguard', 'Firebox T45-PoE', 'firebox-t45-poe'),
  ('watchguard', 'Firebox T55', 'firebox-t55'),
  ('watchguard', 'Firebox T70', 'firebox-t70'),
  ('watchguard', 'Firebox T80', 'firebox-t80'),
  ('watchguard', 'Firebox T85-PoE', 'firebox-t85-poe'),
  ('watchguard', 'Firebox T115-W', 'firebox-t115-w'),
  ('watchguard', 'Firebox T125', 'firebox-t125'),
  ('watchguard', 'Firebox T125-W', 'firebox-t125-w'),
  ('watchguard', 'Firebox T145', 'firebox-t145'),
  ('watchguard', 'Firebox T145-W', 'firebox-t145-w'),
  ('watchguard', 'Firebox T185', 'firebox-t185'),
  ('watchguard', 'Firebox M270', 'firebox-m270'),
  ('watchguard', 'Firebox M295', 'firebox-m295'),
  ('watchguard', 'Firebox M370', 'firebox-m370'),
  ('watchguard', 'Firebox M390', 'firebox-m390'),
  ('watchguard', 'Firebox M395', 'firebox-m395'),
  ('watchguard', 'Firebox M440', 'firebox-m440'),
  ('watchguard', 'Firebox M470', 'firebox-m470'),
  ('watchguard', 'Firebox M495', 'firebox-m495'),
  ('watchguard', 'Firebox M570', 'firebox-m570'),
  ('watchguard', 'Firebox M590', 'firebox-m590'),
  ('watchguard', 'Firebox M595', 'firebox-m595'),
  ('watchguard', 'Firebox M670', 'firebox-m670'),
  ('watchguard', 'Firebox M690', 'firebox-m690'),
  ('watchguard', 'Firebox M695', 'firebox-m695'),
  ('watchguard', 'Firebox M4600', 'firebox-m4600'),
  ('watchguard', 'Firebox M4800', 'firebox-m4800'),
  ('watchguard', 'Firebox M5600', 'firebox-m5600'),
  ('watchguard', 'Firebox M5800', 'firebox-m5800'),
  ('watchguard', 'Firebox Cloud', 'firebox-cloud'),
  ('aruba', 'Instant access point', 'instant'),
  ('aruba', 'Mobility controller', 'controller'),
  ('aruba', 'Central', 'central'),
  ('cambium', 'cnPilot e410', 'cnpilot-e410'),
  ('cambium', 'cnPilot e430', 'cnpilot-e430'),
  ('cambium', 'cnPilot e600', 'cnpilot-e600'),
  ('cambium', 'XV2-2', 'xv2-2'),
  ('cambium', 'XV3-8', 'xv3-8'),
  ('cisco', 'Catalyst 9800', 'catalyst-9800'),
  ('cisco', 'Wireless controller (AireOS)', 'aireos'),
  ('cisco', 'Embedded wireless controller', 'ewc'),
  ('fortigate', 'FortiGate 40F', 'fortigate-40f'),
  ('fortigate', 'FortiGate 60F', 'fortigate-60f'),
  ('fortigate', 'FortiGate 80F', 'fortigate-80f'),
  ('fortigate', 'FortiGate 100F', 'fortigate-100f'),
  ('fortigate', 'FortiGate 200F', 'fortigate-200f'),
  ('fortigate', 'FortiGate 70G', 'fortigate-70g'),
  ('fortigate', 'FortiGate 90G', 'fortigate-90g'),
  ('fortigate', 'FortiGate 120G', 'fortigate-120g'),
  ('fortigate', 'FortiGate VM', 'fortigate-vm'),
  ('meraki', 'MR access point', 'mr'),
  ('meraki', 'MX security appliance', 'mx'),
  ('meraki', 'Z teleworker gateway', 'z'),
  ('meraki-click', 'MR access point', 'mr'),
  ('meraki-click', 'MX security appliance', 'mx'),
  ('opnsense', 'OPNsense appliance', 'appliance'),
  ('opnsense', 'OPNsense virtual', 'virtual'),
  ('pfsense', 'Netgate appliance', 'netgate'),
  ('pfsense', 'pfSense CE', 'ce'),
  ('pfsense', 'pfSense Plus', 'plus'),
  ('ruckus', 'SmartZone', 'smartzone'),
  ('ruckus', 'Unleashed', 'unleashed'),
  ('ruckus', 'ZoneDirector', 'zonedirector'),
  ('omada', 'OC200', 'oc200'),
  ('omada', 'OC300', 'oc300'),
  ('omada', 'OC220', 'oc220'),
  ('omada', 'Software controller', 'software'),
  ('unifi', 'Dream Machine', 'udm'),
  ('unifi', 'Dream Machine Pro', 'udm-pro'),
  ('unifi', 'Cloud Gateway', 'cloud-gateway'),
  ('unifi', 'Cloud Key', 'cloud-key'),
  ('unifi', 'Network application', 'network'),
  ('mikrotik', 'hEX refresh', 'hex-refresh'),
  ('mikrotik', 'hEX S (2025)', 'hex-s-2025'),
  ('mikrotik', 'cAP lite', 'cap-lite'),
  ('mikrotik', 'cAP', 'cap'),
  ('mikrotik', 'hAP', 'hap'),
  ('mikrotik', 'wAP', 'wap'),
  ('mikrotik', 'mAP lite', 'map-lite'),
  ('mikrotik', 'L009UiGS-2HaxD', 'l009uigs-2haxd'),
  ('mikrotik', 'RB5009UPr+S+', 'rb5009upr'),
  ('mikrotik', 'RB4011 Wi-Fi', 'rb4011-wifi'),
  ('mikrotik', 'CCR2004-16G-2S+PC', 'ccr2004-16g-2s-plus-pc'),
  ('mikrotik', 'CRS125', 'crs125'),
  ('mikrotik', 'CRS326', 'crs326'),
  ('mikrotik', 'CRS328', 'crs328'),
  ('sophos', 'XG 85', 'xg-85'),
  ('sophos', 'XG 105', 'xg-105'),
  ('sophos', 'XG 135w', 'xg-135w'),
  ('sophos', 'XG 430', 'xg-430'),
  ('sophos', 'XG 450', 'xg-450'),
  ('sophos', 'XG 550', 'xg-550'),
  ('sophos', 'XG 650', 'xg-650'),
  ('sophos', 'XG 750', 'xg-750'),
  ('aruba', 'AP-303H', 'ap-303h'),
  ('aruba', 'AP-305', 'ap-305'),
  ('aruba', 'AP-315', 'ap-315'),
  ('aruba', 'AP-505', 'ap-505'),
  ('aruba', 'AP-515', 'ap-515'),
  ('aruba', 'AP-535', 'ap-535'),
  ('aruba', 'AP-555', 'ap-555'),
  ('aruba', 'AP-575', 'ap-575'),
  ('aruba', 'AP-635', 'ap-635'),
  ('aruba', 'AP-655', 'ap-655'),
  ('aruba', '7005', '7005'),
  ('aruba', '7010', '7010'),
  ('aruba', '7030', '7030'),
  ('aruba', '7205', '7205'),
  ('aruba', '7210', '7210'),
  ('aruba', '7220', '7220'),
  ('aruba', '7240', '7240'),
  ('aruba', '7280', '7280'),
  ('aruba', '9004', '9004'),
  ('aruba', '9012', '9012'),
  ('aruba', '9240', '9240'),
  ('cambium', 'cnPilot e400', 'cnpilot-e400'),
  ('cambium', 'cnPilot e425H', 'cnpilot-e425h'),
  ('cambium', 'cnPilot e430H', 'cnpilot-e430h'),
  ('cambium', 'cnPilot e500', 'cnpilot-e500'),
  ('cambium', 'cnPilot e505', 'cnpilot-e505'),
  ('cambium', 'cnPilot e510', 'cnpilot-e510'),
  ('cambium', 'cnPilot e700', 'cnpilot-e700'),
  ('cambium', 'XV2-2T0', 'xv2-2t0'),
  ('cambium', 'XV2-2T1', 'xv2-2t1'),
  ('cambium', 'XV2-21X', 'xv2-21x'),
  ('cambium', 'XV2-22H', 'xv2-22h'),
  ('cambium', 'XV2-23T', 'xv2-23t'),
  ('cambium', 'XE3-4', 'xe3-4'),
  ('cambium', 'XE3-4TN', 'xe3-4tn'),
  ('cambium', 'XE5-8', 'xe5-8'),
  ('cambium', 'X7-35X', 'x7-35x'),
  ('cambium', 'X7-53X', 'x7-53x'),
  ('cambium', 'X7-55X', 'x7-55x'),
  ('cisco', 'Catalyst 9800-L', 'catalyst-9800-l'),
  ('cisco', 'Catalyst 9800-40', 'catalyst-9800-40'),
  ('cisco', 'Catalyst 9800-80', 'catalyst-9800-80'),
  ('cisco', 'Catalyst 9800-CL', 'catalyst-9800-cl'),
  ('cisco', '3504 (AireOS)', 'aireos-3504'),
  ('cisco', '5520 (AireOS)', 'aireos-5520'),
  ('cisco', '8540 (AireOS)', 'aireos-8540'),
  ('cisco', 'Virtual controller (AireOS)', 'aireos-virtual'),
  ('fortigate', 'FortiGate 30E', 'fortigate-30e'),
  ('fortigate', 'FortiGate 30G', 'fortigate-30g'),
  ('fortigate', 'FortiGate 50E', 'fortigate-50e'),
  ('fortigate', 'FortiGate 50G', 'fortigate-50g'),
  ('fortigate', 'FortiGate 60E', 'fortigate-60e'),
  ('fortigate', 'FortiGate 61F', 'fortigate-61f'),
  ('fortigate', 'FortiGate 70F', 'fortigate-70f'),
  ('fortigate', 'FortiGate 71F', 'fortigate-71f'),
  ('fortigate', 'FortiGate 80E', 'fortigate-80e'),
  ('fortigate', 'FortiGate 81F', 'fortigate-81f'),
  ('fortigate', 'FortiGate 91G', 'fortigate-91g'),
  ('fortigate', 'FortiGate 100E', 'fortigate-100e'),
  ('fortigate', 'FortiGate 101F', 'fortigate-101f'),
  ('fortigate', 'FortiGate 121G', 'fortigate-121g'),
  ('fortigate', 'FortiGate 200E', 'fortigate-200e'),
  ('fortigate', 'FortiGate 200G', 'fortigate-200g'),
  ('fortigate', 'FortiGate 201G', 'fortigate-201g'),
  ('fortigate', 'FortiGate 300E', 'fortigate-300e'),
  ('fortigate', 'FortiGate 400E', 'fortigate-400e'),
  ('fortigate', 'FortiGate 400F', 'fortigate-400f'),
  ('fortigate', 'FortiGate 500E', 'fortigate-500e'),
  ('fortigate', 'FortiGate 600E', 'fortigate-600e'),
  ('fortigate', 'FortiGate 600F', 'fortigate-600f'),
  ('fortigate', 'FortiGate 1000F', 'fortigate-1000f'),
  ('fortigate', 'FortiGate 1100E', 'fortigate-1100e'),
  ('fortigate', 'FortiGate 1800F', 'fortigate-1800f'),
  ('meraki', 'MR28', 'mr28'),
  ('meraki', 'MR33', 'mr33'),
  ('meraki', 'MR36', 'mr36'),
  ('meraki', 'MR36H', 'mr36h'),
  ('meraki', 'MR42', 'mr42'),
  ('meraki', 'MR44', 'mr44'),
  ('meraki', 'MR46', 'mr46'),
  ('meraki', 'MR52', 'mr52'),
  ('meraki', 'MR56', 'mr56'),
  ('meraki', 'MR57', 'mr57'),
  ('meraki', 'MR76', 'mr76'),
  ('meraki', 'MR78', 'mr78'),
  ('meraki', 'MR86', 'mr86'),
  ('meraki', 'CW9162', 'cw9162'),
  ('meraki', 'CW9163E', 'cw9163e'),
  ('meraki', 'CW9164', 'cw9164'),
  ('meraki', 'CW9166', 'cw9166'),
  ('meraki', 'MX64', 'mx64'),
  ('meraki', 'MX67', 'mx67'),
  ('meraki', 'MX68', 'mx68'),
  ('meraki', 'MX75', 'mx75'),
  ('meraki', 'MX85', 'mx85'),
  ('meraki', 'MX95', 'mx95'),
  ('meraki', 'MX105', 'mx105'),
  ('meraki', 'MX250', 'mx250'),
  ('meraki', 'MX450', 'mx450'),
  ('meraki', 'Z3', 'z3'),
  ('meraki', 'Z4', 'z4'),
  ('meraki-click', 'MR28', 'mr28'),
  ('meraki-click', 'MR33', 'mr33'),
  ('meraki-click', 'MR36', 'mr36'),
  ('meraki-click', 'MR36H', 'mr36h'),
  ('meraki-click', 'MR42', 'mr42'),
  ('meraki-click', 'MR44', 'mr44'),
  ('meraki-click', 'MR46', 'mr46'),
  ('meraki-click', 'MR52', 'mr52'),
  ('meraki-click', 'MR56', 'mr56'),
  ('meraki-click', 'MR57', 'mr57'),
  ('meraki-click', 'MR76', 'mr76'),
  ('meraki-click', 'MR78', 'mr78'),
  ('meraki-click', 'MR86', 'mr86'),
  ('meraki-click', 'CW9162', 'cw9162'),
  ('meraki-click', 'CW9163E', 'cw9163e'),
  ('meraki-click', 'CW9164', 'cw9164'),
  ('meraki-click', 'CW9166', 'cw9166'),
  ('pfsense', 'Netgate 1100', 'netgate-1100'),
  ('pfsense', 'Netgate 1537', 'netgate-1537'),
  ('pfsense', 'Netgate 2100', 'netgate-2100'),
  ('pfsense', 'Netgate 3100', 'netgate-3100'),
  ('pfsense', 'Netgate 4100', 'netgate-4100'),
  ('pfsense', 'Netgate 4200', 'netgate-4200'),
  ('pfsense', 'Netgate 6100', 'netgate-6100'),
  ('pfsense', 'Netgate 7100', 'netgate-7100'),
  ('pfsense', 'Netgate 8200', 'netgate-8200'),
  ('pfsense', 'Netgate 8300', 'netgate-8300'),
  ('ruckus', 'SmartZone 100', 'smartzone-100'),
  ('ruckus', 'SmartZone 144', 'smartzone-144'),
  ('ruckus', 'SmartZone 300', 'smartzone-300'),
  ('ruckus', 'Virtual SmartZone', 'vsz'),
  ('ruckus', 'ZoneDirector 1200', 'zonedirector-1200'),
  ('ruckus', 'ZoneDirector 3000', 'zonedirector-3000'),
  ('omada', 'OC400', 'oc400'),
  ('omada', 'ER605', 'er605'),
  ('omada', 'ER706W', 'er706w'),
  ('omada', 'ER707-M2', 'er707-m2'),
  ('omada', 'ER7206', 'er7206'),
  ('omada', 'ER7212PC', 'er7212pc'),
  ('omada', 'ER7412-M2', 'er7412-m2'),
  ('omada', 'ER8411', 'er8411'),
  ('omada', 'Cloud-based controller', 'cloud'),
  ('unifi', 'Dream Machine SE', 'udm-se'),
  ('unifi', 'Dream Machine Pro Max', 'udm-pro-max'),
  ('unifi', 'Dream Router', 'udr'),
  ('unifi', 'Dream Router 7', 'udr7'),
  ('unifi', 'Dream Wall', 'udw'),
  ('unifi', 'Cloud Gateway Ultra', 'ucg-ultra'),
  ('unifi', 'Cloud Gateway Max', 'ucg-max'),
  ('unifi', 'Cloud Gateway Fiber', 'ucg-fiber'),
  ('unifi', 'UniFi Express', 'ux'),
  ('unifi', 'UniFi Express 7', 'ux7'),
  ('unifi', 'Enterprise Fortress Gateway', 'efg'),
  ('unifi', 'Cloud Key Gen2', 'uck-g2'),
  ('unifi', 'Cloud Key Gen2 Plus', 'uck-g2-plus'),
  ('unifi', 'UniFi OS Server', 'unifi-os-server')
) m(brand, name, slug) on m.brand = b.slug;

create table devices (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  brand_id uuid not null references brands,
  model_id uuid references brand_models,
  name text not null,
  mac_address text not null, -- the serial number for brands without a MAC (WatchGuard)
  nas_identifier text not null check (nas_identifier ~ '^[a-z0-9]{8,16}$'), -- NAS-Identifier, RFC 2865 section 5.32
  secret text not null, -- RADIUS shared secret, encrypted with SECRET_KEY
  connection text, -- how to reach the router's API, encrypted with SECRET_KEY
  logging_enabled boolean not null default true,
  hotspot_status boolean not null default true,
  hotspot_address text,
  -- Where redeemed tickets went while hotspot_address is not set; after a day no further host is taken.
  login_hosts text[] not null default '{}',
  login_hosts_at timestamptz, -- the first of them
  license_end_at timestamptz,
  trial_end_at timestamptz not null,
  last_seen_at timestamptz,
  last_address inet,
  coa_port int not null default 3799, -- RFC 5176
  -- it sent Message-Authenticator (RFC 3579) once, so requests without it are dropped
  message_authenticator boolean not null default false,
  certificate text, -- SHA-256 of the certificate that its REST or API service showed first
  poll_tokens bytea[] not null default '{}', -- hashes of the tokens in its latest scripts, newest last
  polled_at timestamptz,
  pages_checked_at timestamptz, -- when a router that polls was last told to fetch the pages that it lost
  router_version text,
  expected_within int, -- seconds until it must be heard from again (poll or interim update); null: nothing is due
  down_since timestamptz, -- when it was last heard from before it missed three polls or interim updates; null: up
  up_since timestamptz,
  offline_notified boolean not null default false, -- the users were told that it is down
  offline_notified_at timestamptz,
  auth_seen_at timestamptz,
  acct_seen_at timestamptz,
  clock_skew int, -- seconds that its clock is ahead, by its latest accounting
  bad_secret_at timestamptz, -- when a packet last came in its name that does not fit its secret
  bad_secret_address inet,
  arrived_at timestamptz, -- when it last sent a guest to the portal
  coa_asked_at timestamptz, -- when the doctor last sent a CoA request
  coa_answered_at timestamptz, -- when it got the answer, or gave up
  coa_answer text check (coa_answer in ('ok', 'silent', 'refused')),
  unsigned_at timestamptz, -- when a guest last arrived with a signature that does not fit its secret
  reported_at timestamptz, -- when the script on its gateway last told who is signed in
  page_version text, -- version of the sign-in page on the router that sent the guest
  portal_periods jsonb not null default '[]', -- when its guests see another portal than the location's
  external_id text, -- in another system
  former_brands jsonb not null default '[]', -- [{brand, until}], oldest first: the words of its older log lines
  deleting_at timestamptz, -- when its deletion began
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
-- A router is known by this before its tenant is, so it is unique across tenants.
create unique index devices_nas_identifier on devices (nas_identifier);
create unique index devices_mac on devices (tenant_id, mac_address);
create index devices_with_periods on devices (tenant_id) where portal_periods <> '[]';
create index devices_location on devices (tenant_id, location_id, id desc);
-- For the orders of the list.
create index devices_name on devices (tenant_id, location_id, sort_text(name) collate "C", id);
create index devices_name_of_tenant on devices (tenant_id, sort_text(name) collate "C", id);
call have_external_ids('devices', '{location_id}');
create index devices_folded_name on devices using gin (fold_text(name) gin_trgm_ops);
call keep_unchanged('devices');
call isolate('devices');
-- Not when a device was merely heard from: that happens all the time.
create trigger announce after insert or delete or update of name, location_id, secret, mac_address,
    hotspot_status, license_end_at, trial_end_at, coa_port, logging_enabled on devices
  for each row execute function announce('devices', 'location_id', 'nas_identifier');
call tell_changes('devices', 'device', 'location_id',
  '{id, name, mac_address, brand_id, model_id, hotspot_status, license_end_at}', '{logging_enabled, hotspot_address, nas_identifier, portal_periods}');
-- Its log lines from before have the words of the brand that it had then.
create function note_former_brand() returns trigger
language plpgsql as $$
begin
  new.former_brands := old.former_brands
    || jsonb_build_object('brand', (select slug from brands where id = old.brand_id), 'until', now());
  return new;
end $$;
create trigger note_former_brand before update of brand_id on devices
  for each row when (new.brand_id <> old.brand_id) execute function note_former_brand();
-- The brand of a device whose words its log lines of a day have; null: unknown, as on the day of a change, which has lines of both.
-- Days are local: they begin up to 14 hours before those of UTC, and end up to 12 hours after them.
create function brand_of_lines(brand_now uuid, former jsonb, day date) returns text
language sql stable as $$
  select case
    when past.until is null then (select slug from brands where id = brand_now)
    when past.until >= (day + 1 + interval '12 hours') at time zone 'UTC' then past.brand
  end
  from (values (1)) device left join lateral (
    select it->>'brand' as brand, (it->>'until')::timestamptz as until from jsonb_array_elements(former) it
    where (it->>'until')::timestamptz > (day - interval '14 hours') at time zone 'UTC' order by 2 limit 1) past on true
$$;
create trigger announce_connection after update of connection, certificate, router_version on devices
  for each row execute function announce('devices', 'location_id');
create trigger announce_watch after update of down_since on devices
  for each row execute function announce('devices', 'location_id');
-- The first packet of a new device is announced: the operator who sets it up waits for it.
create trigger announce_first_seen after update of last_seen_at on devices
  for each row when (old.last_seen_at is null and new.last_seen_at is not null) execute function announce('devices', 'location_id');

-- How the controllers of devices answer, for brands whose portal admits guests through one.
create table controller_states (
  tenant_id uuid not null,
  device_id uuid not null,
  asked_at timestamptz, -- when the doctor last asked
  answered_at timestamptz, -- when it last did what it was asked; kept to the minute
  failing_since timestamptz, -- null: it works
  tried_at timestamptz, -- when it last failed; null: try it again at once
  problem text check (problem in ('unreachable', 'login', 'certificate', 'refused')),
  words text, -- the reason, as the controller or the connection gave it
  told boolean not null default false, -- the users were told that it fails
  refused_at timestamptz, -- when it last refused a guest, and none was admitted since
  refused_words text,
  primary key (tenant_id, device_id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
-- Commands to be tried again.
create index controller_states_failing on controller_states (tenant_id, device_id) where failing_since is not null;
call isolate('controller_states');

-- The address ranges behind a device, each with its own portal and profile if set.
create table networks (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  name text not null,
  start_ip inet not null,
  subnet int not null, -- prefix length
  portal_id uuid,
  profile_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint networks_subnet_check check (subnet between 1 and case family(start_ip) when 4 then 32 else 128 end),
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, portal_id) references portals on delete set null (portal_id)
);
create index networks_device on networks (tenant_id, device_id, id);
call isolate('networks');
call tell_changes('networks', 'network', 'device_id', '{id, device_id, name, start_ip, subnet, portal_id, profile_id}');
create trigger announce after insert or delete or update on networks
  for each row execute function announce('devices');

-- The locations that show a portal: by themselves, at a device or in a network, always or at certain times.
create function locations_with_portal(p_tenant uuid, p_portal uuid) returns setof uuid
language sql stable parallel safe as $$
  select l.id from locations l
  where l.tenant_id = p_tenant and (l.portal_id = p_portal
    or l.portal_periods <> '[]' and l.portal_periods @> jsonb_build_array(jsonb_build_object('portal_id', p_portal)))
  union
  select d.location_id from devices d
  where d.tenant_id = p_tenant and d.portal_periods <> '[]' and d.portal_periods @> jsonb_build_array(jsonb_build_object('portal_id', p_portal))
  union
  select d.location_id from networks n join devices d on d.tenant_id = n.tenant_id and d.id = n.device_id
  where n.tenant_id = p_tenant and n.portal_id = p_portal
$$;

-- MAC addresses that a device blocks, or lets pass without a sign-in. networks '{}': all of them.
create table mac_rules (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  mac macaddr not null,
  type text not null check (type in ('bypassed', 'blocked')),
  networks uuid[] not null default '{}', -- ids of networks
  comment text not null default '',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create unique index mac_rules_device on mac_rules (tenant_id, device_id, type, mac);
create index mac_rules_newest on mac_rules (tenant_id, device_id, type, id desc);
-- The report of multiple sessions asks for each row whether its MAC is blocked anywhere at the location.
create index mac_rules_blocked on mac_rules (tenant_id, mac) where type = 'blocked';
call isolate('mac_rules');
call tell_changes('mac_rules', 'mac_rule', 'device_id', '{id, device_id, mac, type, comment}', '{networks}');
create trigger announce after insert or delete or update on mac_rules
  for each row execute function announce('devices');

-- Commands for routers, queued in the transaction that causes them and sent afterwards.
-- `key` says what a command is about (a guest device, the hotspot): one open command per key, a newer one replaces it.
create table router_commands (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  key text not null,
  action text not null check (action in ('block', 'bypass', 'release', 'hotspot-on', 'hotspot-off', 'logout')),
  command jsonb not null, -- what the driver is to apply
  state text not null default 'queued' check (state in ('queued', 'sent', 'done', 'failed', 'replaced')),
  words text not null default '', -- what the router answered
  driver text check (driver in ('rest', 'api', 'api-ssl', 'poll')),
  attempts int not null default 0,
  requested_by uuid,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz, -- null with a sent_at: a process is talking to the router
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
create index router_commands_device on router_commands (tenant_id, device_id, id desc);
create unique index router_commands_open on router_commands (tenant_id, device_id, key) where state in ('queued', 'sent');
create index router_commands_old on router_commands (created_at);
call isolate('router_commands');
create trigger announce after insert or delete or update on router_commands
  for each row execute function announce('router-commands', 'location_id');

-- One-time addresses of setup scripts. The script holds secrets, so it is encrypted and deleted once fetched.
create table script_links (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  hash bytea not null, -- SHA-256 of the token in the address
  script text not null, -- encrypted with SECRET_KEY
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
-- Looked up before the tenant is known.
create unique index script_links_hash on script_links (hash);
create unique index script_links_device on script_links (tenant_id, device_id);
call isolate('script_links');

-- The certificate authority of this installation, for RADIUS over TLS (RFC 6614).
-- It serves all tenants: a connection shows its certificate before its tenant is known.
create table radsec_authority (
  id int default 1 primary key check (id = 1),
  private_key text not null, -- PKCS#8, encrypted with SECRET_KEY
  certificate bytea not null, -- X.509 (DER)
  created_at timestamptz not null default now()
);
grant select, insert, update on radsec_authority to portico_system;

-- Client certificates that this authority issued to devices. Neither certificate nor key is stored.
create table device_certificates (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  name text not null,
  serial text not null,
  fingerprint bytea not null, -- SHA-256 of the certificate
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  expiry_notified boolean not null default false, -- the users were warned that it expires
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
-- Looked up before the tenant is known.
create unique index device_certificates_fingerprint on device_certificates (fingerprint);
create index device_certificates_device on device_certificates (tenant_id, device_id, id);
-- The devices whose users are to be warned.
create index device_certificates_expiring on device_certificates (expires_at)
  where revoked_at is null and not expiry_notified;
call isolate('device_certificates');
call tell_changes('device_certificates', 'certificate', 'device_id', '{id, device_id, name, serial, expires_at, revoked_at}');
-- RadSec connections listen too. Not when a certificate was merely used.
create trigger announce after insert or delete or update of revoked_at on device_certificates
  for each row execute function announce('device-certificates');

-- The network of a device that contains an address, if any: the narrowest.
create function find_network(p_tenant uuid, p_device uuid, p_ip inet) returns setof networks
language sql stable parallel safe as $$
  select * from networks
  where tenant_id = p_tenant and device_id = p_device and p_ip <<= set_masklen(start_ip, subnet)
  order by subnet desc
  limit 1
$$;

-- Corrects devices that were last heard from in the future. They exist after a server clock that was ahead is put right.
-- Otherwise they would count as present until the clock catches up. Returns how many were corrected.
create function clamp_future_device_times() returns int
language plpgsql as $$
declare
  corrected int;
begin
  update devices set
    last_seen_at = not_after_now(last_seen_at), polled_at = not_after_now(polled_at),
    down_since = not_after_now(down_since), up_since = not_after_now(up_since),
    auth_seen_at = not_after_now(auth_seen_at), acct_seen_at = not_after_now(acct_seen_at),
    offline_notified_at = not_after_now(offline_notified_at)
  where greatest(last_seen_at, polled_at, down_since, up_since, offline_notified_at) > now() + interval '1 minute';
  get diagnostics corrected = row_count;
  return corrected;
end $$;
revoke execute on function clamp_future_device_times from public;
grant execute on function clamp_future_device_times to portico_system;

-- Gives the networks that have a profile another one.
create function replace_network_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update networks set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- A router redeemed a ticket: the host of the sign-in page that the ticket went to belongs to it. A ticket's own guest could have
-- chosen the host, so hosts are learned on the first day only. A device that is being written is left for the next ticket.
create function learn_login_host() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update devices set login_hosts = login_hosts || new.login_host, login_hosts_at = coalesce(login_hosts_at, now())
  where tenant_id = new.tenant_id and id = (
    select id from devices
    where tenant_id = new.tenant_id and id = new.device_id and hotspot_address is null and not new.login_host = any(login_hosts)
      and cardinality(login_hosts) < 8 and (login_hosts_at is null or login_hosts_at > now() - interval '1 day')
    for update skip locked);
  return null;
end $$;
revoke execute on function learn_login_host from public;
alter function learn_login_host owner to portico_system;

-- Local hosts that guests of a device were not sent to, because the device had not used them. Bounded per device.
create table refused_login_hosts (
  tenant_id uuid not null,
  device_id uuid not null,
  host text not null,
  arrivals int not null default 1,
  last_at timestamptz not null default now(),
  primary key (tenant_id, device_id, host),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
call isolate('refused_login_hosts');
