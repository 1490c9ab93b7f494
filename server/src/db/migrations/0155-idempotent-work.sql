-- A request whose process died can be sent again, unless it committed something.
alter table idempotent_replies add column attempt int not null default 1;
alter table idempotent_replies add column begun_at timestamptz not null default now();

-- What a request with a key committed, written in the same transaction. Such a request is never done again.
create table idempotent_work (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  id uuid not null default gen_random_uuid(),
  primary key (tenant_id, user_id, key, id),
  foreign key (tenant_id, user_id, key) references idempotent_replies on delete cascade
);
call isolate('idempotent_work');
