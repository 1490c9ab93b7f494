/* What a device was last heard to do, so that its doctor can say what is missing. */
alter table devices
  add column auth_seen_at timestamptz,
  add column acct_seen_at timestamptz,
  add column clock_skew int,
  add column distrusted_at timestamptz,
  add column distrusted_address inet,
  add column arrived_at timestamptz,
  add column page_version text;
comment on column devices.clock_skew is 'seconds that its clock is ahead, by its latest accounting';
comment on column devices.distrusted_at is 'when a packet came in its name that its secret does not fit';
comment on column devices.arrived_at is 'when it last sent a guest to the portal';
comment on column devices.page_version is 'of the sign-in page that sent the guest';
