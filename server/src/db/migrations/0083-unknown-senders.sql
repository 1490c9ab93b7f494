-- What came to the log door and to the NetFlow door from nobody that is known, so that it can be shown to who misses it.

alter table log_overflow add column unknown_lines bigint not null default 0, add column unknown_flows bigint not null default 0;
comment on column log_overflow.lines is 'datagrams that the kernel dropped';
comment on column log_overflow.unknown_lines is 'log lines of all senders that no device could be found for';
comment on column log_overflow.unknown_flows is 'NetFlow packets of all senders that no device could be found for';
