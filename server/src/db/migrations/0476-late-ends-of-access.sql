-- An end of access that passed while its transaction ran was never told to webhooks.
-- Trigger, at the end of the transaction: tells of an end that passed while the transaction ran, after the webhooks were told of
-- that moment. An end that had passed before was told, or is no news.
create function tell_late_end() returns trigger
language plpgsql as $$
declare
  before timestamptz := case when tg_op = 'UPDATE' then old.session_end_at end;
  hook record;
begin
  -- Later ends are found by tell_expired_visitors(), which is a minute late itself.
  if new.session_end_at > clock_timestamp() - interval '50 seconds' or new.session_end_at <= now() - interval '1 day' then
    return null;
  end if;
  if tg_op = 'INSERT' and new.session_end_at <= now() then return null; end if;
  for hook in
    select i.id, i.expired_until from integrations i
    where i.tenant_id = new.tenant_id and (i.location_id = new.location_id or i.location_id is null) and i.kind = 'webhook'
      and 'visitor.expired' = any(i.events)
    order by i.id
    -- While this is held, tell_expired_visitors() passes the webhook by, and sees the new end the next time.
    for share
  loop
    continue when new.session_end_at > hook.expired_until or before <= hook.expired_until;
    perform queue_webhook_event(v.tenant_id, v.location_id, 'visitor.expired', jsonb_build_object(
      'id', v.id, 'location_id', v.location_id, 'name', v.name, 'provider_type', v.provider_type, 'room_number', v.room_number,
      'session_start_at', v.session_start_at, 'session_end_at', v.session_end_at), hook.id)
    from visitors v
    -- Unless a later statement of the transaction changed it again.
    where v.tenant_id = new.tenant_id and v.id = new.id and v.session_end_at = new.session_end_at and v.erased_at is null;
  end loop;
  return null;
end $$;

-- Deferred: what counts is the moment of the commit.
create constraint trigger tell_late_end_of_new after insert on visitors deferrable initially deferred
  for each row when (new.session_end_at is not null) execute function tell_late_end();
create constraint trigger tell_late_end after update of session_end_at on visitors deferrable initially deferred
  for each row when (new.session_end_at is distinct from old.session_end_at and new.session_end_at is not null)
  execute function tell_late_end();
