create index menu_scans_old on menu_scans (day);
