/*
 * Counts of log lines on their way to ClickHouse (LOG_DATABASE_URL): written in the transaction that moves the streams, and taken
 * away when they have arrived. The id is the token by which ClickHouse knows what it has already.
 */
create table log_outbox (
  id uuid primary key default new_id(),
  created_at timestamptz not null default now(),
  minutes text not null,
  tops text not null
);
comment on column log_outbox.minutes is 'rows as JSONCompactEachRow, a line each';
create index log_outbox_order on log_outbox (created_at, id);
grant select, insert, delete on log_outbox to portico_system;
