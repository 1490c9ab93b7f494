-- What the daily check of the legal record found, and what was lost of a device's lines before they could be kept.

alter table log_streams add column checked_at timestamptz, add column problem text, add column problem_where text;
comment on column log_streams.problem is 'the first thing that the last check found, or null; problem_where: in which file or link';
alter table log_files add column problem text check (problem in ('missing', 'changed'));

create table log_losses (
  tenant_id uuid not null,
  device_id uuid not null,
  day date not null,
  reason text not null check (reason in ('flood', 'disk_full', 'memory_full', 'device_full', 'unnamed', 'cut', 'logging_off')),
  lines bigint not null,
  last_at timestamptz not null,
  primary key (tenant_id, device_id, day, reason)
);
comment on column log_losses.reason is 'cut: the beginning of the line was kept; unnamed: it came from an address that several devices share';
create index log_losses_age on log_losses (day);
call isolate('log_losses');
revoke insert, update, delete on log_losses from portico_app;

/* Datagrams that the kernel dropped at the log door: whose they were is not known. */
create table log_overflow (
  day date primary key,
  lines bigint not null
);
grant select on log_overflow to portico_app;
grant select, insert, update, delete on log_overflow to portico_system;
