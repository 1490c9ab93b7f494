-- Receipt printers at the desks of locations.

create table printers (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  host text not null,
  port int not null check (port between 9100 and 9109),
  paper text not null check (paper in ('80', '58')), -- millimetres
  letters text not null check (letters in ('cp857', 'windows1254', 'ascii')), -- the code page for texts
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index printers_location on printers (tenant_id, location_id, name);
call isolate('printers');
call tell_changes('printers', 'printer', 'location_id', '{id, name, host, port, paper, letters}');
