/* An order to a router can also hold a running session to other limits, when a visitor was changed. */
alter table kicks add column kind text not null default 'end' check (kind in ('end', 'change'));
