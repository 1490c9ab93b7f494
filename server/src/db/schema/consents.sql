-- Consents of guests to news and offers, one row from its beginning to its end.

-- The sentence beside the box, word for word; `version` is a hash of it.
create table consent_texts (
  tenant_id uuid not null references tenants on delete cascade,
  version text not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);
call isolate('consent_texts');

-- After the visitor was erased, the row stays as proof with the hash of the recipient only.
create table marketing_consents (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  visitor_id uuid,
  channel text not null check (channel in ('email', 'sms', 'call')),
  recipient text,
  recipient_hash bytea not null, -- keyed hash
  version text not null,
  language text not null,
  client_mac macaddr,
  source text not null check (source in ('sign-in', 'own-data')),
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_by text check (withdrawn_by in ('guest', 'staff', 'erasure', 'renewal', 'address')),
  changed_at timestamptz not null generated always as (coalesce(withdrawn_at, given_at)) stored,
  primary key (tenant_id, id),
  check ((withdrawn_at is null) = (withdrawn_by is null)),
  check ((visitor_id is null) = (recipient is null)),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete cascade,
  foreign key (tenant_id, version) references consent_texts
);
create unique index marketing_consents_open on marketing_consents (tenant_id, visitor_id, channel) where withdrawn_at is null;
create index marketing_consents_visitor on marketing_consents (tenant_id, visitor_id, changed_at desc);
create index marketing_consents_location on marketing_consents (tenant_id, location_id, changed_at desc, id desc);
create index marketing_consents_changed on marketing_consents (tenant_id, changed_at desc, id desc);
-- The order of the file for İYS.
create index marketing_consents_iys on marketing_consents (tenant_id, recipient, channel, changed_at desc) where recipient is not null;
create index marketing_consents_recipient on marketing_consents (tenant_id, recipient_hash);
create index marketing_consents_version on marketing_consents (tenant_id, version);
create index marketing_consents_old on marketing_consents (withdrawn_at) where visitor_id is null;
call isolate('marketing_consents');
create trigger announce after insert or delete or update on marketing_consents
  for each row execute function announce('consents', 'location_id');

-- The event of an erased visitor names no recipient: the receiver knows the visitor from the event before.
create function emit_consent() returns trigger
language plpgsql as $$
declare
  is_given boolean := new.withdrawn_at is null;
begin
  -- The location is gone while it is being deleted.
  if has_webhook(new.tenant_id, new.location_id)
    and exists (select from locations l where l.tenant_id = new.tenant_id and l.id = new.location_id)
  then
    perform queue_webhook_event(new.tenant_id, new.location_id,
      case when is_given then 'consent.given' else 'consent.withdrawn' end,
      jsonb_build_object('id', new.id, 'location_id', new.location_id, 'visitor_id', coalesce(new.visitor_id, old.visitor_id),
        'channel', new.channel, 'recipient', new.recipient, 'version', new.version, 'language', new.language, 'given_at', new.given_at)
      || case when is_given then '{}' else jsonb_build_object('withdrawn_at', new.withdrawn_at, 'by', new.withdrawn_by) end);
  end if;
  return null;
end $$;
create trigger emit_consent_given after insert on marketing_consents
  for each row execute function emit_consent();
create trigger emit_consent_withdrawn after update on marketing_consents
  for each row when (old.withdrawn_at is null and new.withdrawn_at is not null) execute function emit_consent();

-- Ends the consents of a visitor that is being erased, and keeps the proof without the person.
create function erase_consents(p_tenant uuid, p_visitor uuid) returns void
language sql as $$
  update marketing_consents set
    withdrawn_at = coalesce(withdrawn_at, now()), withdrawn_by = coalesce(withdrawn_by, 'erasure'),
    visitor_id = null, recipient = null, client_mac = null
  where tenant_id = p_tenant and visitor_id = p_visitor
$$;
create function erase_consents_of_visitor() returns trigger
language plpgsql as $$
begin
  perform erase_consents(old.tenant_id, old.id);
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger erase_consents before delete on visitors
  for each row execute function erase_consents_of_visitor();
create trigger erase_consents_of_erased before update of erased_at on visitors
  for each row when (new.erased_at is not null and old.erased_at is null) execute function erase_consents_of_visitor();

-- Allowing news to an address says nothing about another one. Whoever has the new one is asked, and the former one may be a stranger's.
create function end_consents_of_former_address() returns trigger
language plpgsql as $$
begin
  update marketing_consents c set withdrawn_at = now(), withdrawn_by = 'address'
  where c.tenant_id = new.tenant_id and c.visitor_id = new.id and c.withdrawn_at is null and case c.channel
    when 'email' then lower(c.recipient) = lower(old.email) and lower(new.email) is distinct from lower(old.email)
    else c.recipient = old.phone and new.phone is distinct from old.phone end;
  return null;
end $$;
create trigger end_consents_of_former_address after update of email, phone on visitors
  for each row when (old.email is distinct from new.email or old.phone is distinct from new.phone)
  execute function end_consents_of_former_address();
