/*
 * Orders for routers, written down in the transaction of what they carry out and sent after it. `key` says what an order is
 * about (a guest device, the hotspot): of each there is one open order at most, and the newest takes the place of older ones.
 */
create table router_commands (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  device_id uuid not null,
  key text not null,
  action text not null check (action in ('block', 'bypass', 'release', 'hotspot-on', 'hotspot-off', 'logout')),
  wish jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'done', 'failed', 'replaced')),
  words text not null default '',
  driver text check (driver in ('rest', 'api', 'api-ssl', 'poll')),
  attempts int not null default 0,
  requested_by uuid,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  sent_at timestamptz,
  answered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices on delete cascade
);
comment on column router_commands.answered_at is 'null with a sent_at: somebody is talking to the router about it';
create index router_commands_device on router_commands (tenant_id, device_id, id desc);
create unique index router_commands_open on router_commands (tenant_id, device_id, key) where state in ('queued', 'sent');
create index router_commands_old on router_commands (created_at);
call isolate('router_commands');
create trigger announce after insert or delete or update on router_commands
  for each row execute function announce('router-commands', 'location_id');

alter table devices
  add column certificate text,
  add column poll_tokens bytea[] not null default '{}',
  add column polled_at timestamptz,
  add column router_version text;
comment on column devices.certificate is 'SHA-256 of the certificate that its REST or API showed first';
comment on column devices.poll_tokens is 'hashes of the tokens in its latest scripts, the newest last';
create trigger announce_connection after update of connection, certificate, router_version on devices
  for each row execute function announce('devices', 'location_id');

/* Whom a device blocks goes offline now, not when the session happens to end. */
alter table kicks drop constraint kicks_reason_check;
alter table kicks add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked'));
create function kick_blocked() returns trigger language plpgsql as $$ begin
  insert into kicks (tenant_id, session_id, location_id, device_id, reason)
  select o.tenant_id, o.id, o.location_id, o.device_id, 'blocked' from online_sessions o
  where o.tenant_id = new.tenant_id and o.device_id = new.device_id and o.client_mac = new.mac
    and (new.networks = '{}' or o.network_id is null or o.network_id = any(new.networks));
  return null;
end $$;
create trigger kick_blocked after insert on mac_rules for each row when (new.type = 'blocked') execute function kick_blocked();
