-- Answers to POST requests with an Idempotency-Key, kept for a day. Without a status the first request has not been answered.
create table idempotent_replies (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  request bytea not null, -- keyed hash of path and body
  status int,
  reply text, -- encrypted with SECRET_KEY, because it may hold passwords
  created_at timestamptz not null default now(),
  attempt int not null default 1, -- counts the processes that took the key after another one died
  begun_at timestamptz not null default now(), -- of the attempt
  rights jsonb, -- those of the user then: the answer is given again only to a user who still has them
  process int, -- number of the process that works on the attempt; null: unknown
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index idempotent_replies_old on idempotent_replies (created_at);
call isolate('idempotent_replies');

-- The result of a request with a key, written in the transaction of the request. Such a request is never done again.
create table idempotent_work (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  id uuid not null default gen_random_uuid(),
  primary key (tenant_id, user_id, key, id),
  foreign key (tenant_id, user_id, key) references idempotent_replies on delete cascade
);
call isolate('idempotent_work');

-- A reseller whose customer was handed over no longer gets its earlier answers, which may be about that customer. The work is not done again.
create function withhold_replies() returns trigger
language plpgsql as $$
begin
  update idempotent_replies set rights = rights || '{"withheld": true}'
  where tenant_id = old.tenant_id and user_id = old.owner_id and rights->>'role' = 'reseller' and not rights ? 'withheld';
  return null;
end $$;
create trigger withhold_replies after update on locations
  for each row when (old.owner_id is not null and new.owner_id is distinct from old.owner_id) execute function withhold_replies();
