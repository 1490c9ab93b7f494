drop procedure tell_changes(regclass, text, text, text[], text[]);

-- Makes a table tell webhooks that a row was created, updated or deleted: events such as `device.updated`.
-- `place`: where it belongs, see tell_event; `tenant` is no location. `shown`: the columns in the payload, the id first.
-- `watched`: further columns whose change is an update, without their values.
-- `ends_first`: a deletion is told before other rows lose their reference to it.
create procedure tell_changes(
  t regclass, noun text, place text, shown text[], watched text[] default '{}', ends_first boolean default false
)
language plpgsql as $$
begin
  execute format(
    'create trigger tell_changes after insert %s or update of %s on %s for each row execute function tell_change(%L, %L, %L, %L)',
    case when not ends_first then 'or delete' end,
    (select string_agg(distinct c, ', ' order by c) from unnest(shown || watched || array_remove(array[place], 'tenant')) c), t, noun, place, shown, watched);
  if ends_first then
    execute format('create trigger tell_deletion before delete on %s for each row execute function tell_change(%L, %L, %L, %L)',
      t, noun, place, shown, watched);
  end if;
end $$;

-- Trigger of tell_changes. A row that moves is deleted at one location and created at the other.
-- A visitor without its identity counts as deleted. The event of a deletion has the id only.
create or replace function tell_change() returns trigger
language plpgsql as $$
declare
  place text := tg_argv[1];
  shown text[] := tg_argv[2];
  gone text[] := shown[1:1]; -- the first column is the id
  before jsonb;
  after jsonb;
  changed text[];
begin
  if not tenant_has_webhook(coalesce(new.tenant_id, old.tenant_id)) then return old; end if;
  if tg_op <> 'INSERT' then before := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new); end if;
  if before->>'erased_at' is not null then before := null; end if;
  if after->>'erased_at' is not null then after := null; end if;
  if before->>place is not distinct from after->>place and before is not null and after is not null then
    changed := array(
      select c from unnest(shown || tg_argv[3]::text[]) c where before->c is distinct from after->c order by c);
    if cardinality(changed) > 0 then
      perform tell_event(tg_argv[0], 'updated', after, place, shown, jsonb_build_object('changed', changed));
    end if;
    return old;
  end if;
  if before is not null then perform tell_event(tg_argv[0], 'deleted', before, place, gone); end if;
  if after is not null then perform tell_event(tg_argv[0], 'created', after, place, shown); end if;
  -- Before a deletion, null would keep the row.
  return old;
end $$;

drop trigger tell_changes on portals;
call tell_changes('portals', 'portal', 'location_id', '{id, name}', '{styles, providers, messages, agreements, page}', ends_first => true);
