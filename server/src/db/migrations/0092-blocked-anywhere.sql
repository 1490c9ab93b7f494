-- Whether a guest device is blocked at any device of its location is asked for each row of the report of multiple sessions.
create index mac_rules_blocked on mac_rules (tenant_id, mac) where type = 'blocked';
