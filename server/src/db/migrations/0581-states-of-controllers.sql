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
-- Those to be tried again.
create index controller_states_failing on controller_states (tenant_id, device_id) where failing_since is not null;
call isolate('controller_states');
