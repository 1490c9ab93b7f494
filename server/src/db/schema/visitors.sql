-- Visitors: the guests of a location, however they were created (panel, portal, import, PMS).

create table visitors (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  profile_id uuid,
  device_id uuid, -- where the visitor was created or was online first
  name text not null,
  provider_type text not null check (provider_type in ('citizen-id', 'room-number', 'sms', 'username', 'temp', 'email', 'voucher')),
  username text,
  password text, -- encrypted with SECRET_KEY
  citizen_id text, -- encrypted with SECRET_KEY; found by citizen_id_hash
  citizen_id_hash bytea,
  room_number text,
  birth_date text, -- encrypted with SECRET_KEY
  email text,
  phone text,
  session_start_at timestamptz,
  session_end_at timestamptz,
  special_profile boolean not null default false, -- the four limits below apply instead of those of the profile
  shared_user int not null default 1, -- of vouchers it always applies
  session_duration jsonb not null,
  max_upload jsonb not null,
  max_download jsonb not null,
  total_paid_day int not null default 0,
  paid_end_at timestamptz, -- the end of the paid days; null until they begin
  blocked boolean not null default false,
  email_confirmed_at timestamptz,
  integration_id uuid,
  external_id text, -- the guest's id in the system of the integration
  portal_mac macaddr, -- the device of a visitor with free access
  erased_at timestamptz, -- the identity was erased; sessions, sales and counts remain
  made_by_staff boolean not null default false, -- a guest does not delete it with its own data; not known of older ones
  search_text text generated always as (
    fold_text(name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
      || coalesce(room_number, ''))
  ) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  foreign key (tenant_id, profile_id) references profiles on delete set null (profile_id),
  foreign key (tenant_id, device_id) references devices on delete set null (device_id),
  foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id)
);
create unique index visitors_username on visitors (tenant_id, location_id, username) where username is not null;
create unique index visitors_citizen on visitors (tenant_id, location_id, citizen_id_hash) where citizen_id_hash is not null;
create index visitors_room on visitors (tenant_id, location_id, room_number) where room_number is not null;
create index visitors_phone on visitors (tenant_id, location_id, phone) where phone is not null;
create index visitors_email on visitors (tenant_id, location_id, email) where email is not null;
create index visitors_location on visitors (tenant_id, location_id, id desc);
create index visitors_profile on visitors (tenant_id, profile_id);
-- For sign-in methods that few visitors have.
create index visitors_provider on visitors (tenant_id, provider_type, id desc);
create unique index visitors_external on visitors (tenant_id, integration_id, external_id) where integration_id is not null;
create unique index visitors_portal_mac on visitors (tenant_id, location_id, provider_type, portal_mac)
  where portal_mac is not null;
create index visitors_idle on visitors (updated_at) where erased_at is null;
create index visitors_search on visitors using gin (search_text gin_trgm_ops);
-- For the orders of the list.
create index visitors_name on visitors (tenant_id, location_id, sort_text(name) collate "C", id);
create index visitors_name_of_tenant on visitors (tenant_id, sort_text(name) collate "C", id);
create index visitors_end on visitors (tenant_id, location_id, session_end_at, id);
create index visitors_end_of_tenant on visitors (tenant_id, session_end_at, id);
-- For statuses that few visitors have.
create index visitors_paused on visitors (tenant_id, id desc) where blocked;
create index visitors_later on visitors (tenant_id, session_start_at) where session_start_at is not null;
create index visitors_erased on visitors (tenant_id, id desc) where erased_at is not null;
call isolate('visitors');
create trigger announce after insert or delete on visitors
  for each row execute function announce('visitors', 'location_id');
-- A visitor's first session sets the device. Screens of visitors hear of sessions too, which RADIUS announces in few notices.
create trigger announce_update after update on visitors
  for each row when (old.device_id is not null or new.device_id is null) execute function announce('visitors', 'location_id');
call tell_changes('visitors', 'visitor', 'location_id',
  '{id, name, provider_type, room_number, profile_id, session_start_at, session_end_at, blocked}',
  '{username, email, phone, shared_user, special_profile, total_paid_day, paid_end_at, erased_at}');
-- Deferred: what counts is the moment of the commit.
create constraint trigger tell_late_end_of_new after insert on visitors deferrable initially deferred
  for each row when (new.session_end_at is not null) execute function tell_late_end();
create constraint trigger tell_late_end after update of session_end_at on visitors deferrable initially deferred
  for each row when (new.session_end_at is distinct from old.session_end_at and new.session_end_at is not null)
  execute function tell_late_end();
create trigger delete_deliveries after delete on visitors
  for each row execute function delete_deliveries_of_visitor();
create trigger delete_deliveries_of_erased after update of erased_at on visitors
  for each row when (new.erased_at is not null and old.erased_at is null) execute function delete_deliveries_of_visitor();

-- Tables that are created earlier refer to this one.
alter table email_confirmations add foreign key (tenant_id, visitor_id) references visitors on delete cascade;
alter table survey_responses add foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id);
alter table survey_asked add foreign key (tenant_id, visitor_id) references visitors on delete cascade;

-- The identity of a visitor that had itself erased, kept as long as the law requires. No foreign key refers to it.
create table erased_guests (
  tenant_id uuid not null,
  id uuid not null, -- of the erased visitor
  location_id uuid not null,
  identity jsonb not null, -- what the report for authorities shows; what was encrypted still is
  consents jsonb not null,
  erased_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index erased_guests_location on erased_guests (tenant_id, location_id);
create index erased_guests_old on erased_guests (erased_at);
call isolate('erased_guests');

-- At most `most` visitors of this tenant whose texts have two letters of a to z and 0 to 9 in a row. The index finds them with
-- each character that can follow or come before: ASCII, Latin letters, or an end. So a pair between letters of other scripts is not
-- found. The index cannot use a larger class, or characters from U+0800 on.
create function visitors_with_letters(letters text, most int) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select v.id from visitors v
    where v.tenant_id = current_tenant()
      and (v.search_text ~ (letters || '[ -@[-~]') or v.search_text ~ (letters || U&'[\00df-\017e]')
        or v.search_text like '%' || letters
        or v.search_text ~ ('[ -@[-~]' || letters) or v.search_text ~ (U&'[\00df-\017e]' || letters)
        or v.search_text like letters || '%')
    limit most;
end $$;
revoke execute on function visitors_with_letters from public;
alter function visitors_with_letters owner to portico_system;

-- The newest visitors of this tenant that match a LIKE pattern: at most `max_rows`, and only those with an id below `before`.
-- Null means no condition. Row-level security keeps portico_app from using an index with LIKE (it is not leakproof);
-- portico_system sees all rows, so this function may use it. EXECUTE plans anew, because the plan depends on the pattern.
-- The planner does not know how many visitors match, because a policy keeps it from the statistics. It would read thousands with
-- a common name to show a few. So a few are first looked for among the newest 500.
create function search_visitors(
  pattern text, location_ids uuid[], device_ids uuid[], providers text[], before uuid, max_rows int
) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  folded text := fold_text(pattern);
  newest uuid[];
  is_common boolean;
  few uuid[];
begin
  if max_rows <= 10 and before is null then
    newest := array(
      select v.id from (
        select * from visitors
        where tenant_id = current_tenant()
        order by id desc limit 500) v
      where (location_ids is null or v.location_id = any(location_ids))
        and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
        and (providers is null or v.provider_type = any(providers))
        and v.search_text like folded
      order by v.id desc limit max_rows);
    if cardinality(newest) = max_rows then
      return query select unnest(newest);
      return;
    end if;
  end if;
  -- Two letters in a row are no trigram. If the newest visitors hardly have them, all would be read to find a few.
  if folded ~ '^%[a-z0-9]{2}%$' and before is null then
    is_common := count(*) = 10 from (
      select from (
        select search_text from visitors
        where tenant_id = current_tenant()
        order by id desc limit 3000) v
      where v.search_text like folded limit 10) x;
    if not is_common then
      few := array(select visitors_with_letters(substr(folded, 2, 2), 2000));
      if cardinality(few) < 2000 then
        return query
          select v.id from visitors v
          where v.tenant_id = current_tenant() and v.id = any(few)
            and (location_ids is null or v.location_id = any(location_ids))
            and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
            and (providers is null or v.provider_type = any(providers))
          order by v.id desc
          limit max_rows;
        return;
      end if;
    end if;
  end if;
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and ($5 is null or v.provider_type = any($5))
      and ($6 is null or v.id < $6)
      and v.search_text like $2
    order by v.id desc
    limit $7
  $query$ using current_tenant(), folded, location_ids, device_ids, providers, before, max_rows;
end $$;
revoke execute on function search_visitors from public;
grant execute on function search_visitors to portico_app;
alter function search_visitors owner to portico_system;

-- Visitors of this tenant that match one of several LIKE patterns, the first patterns first, for a search with a typing error: at
-- most `max_rows`, which are the newest of 500. Runs as portico_system for the reason given at search_visitors. One query with
-- all patterns would read every visitor, because the planner expects each pattern to match many. So each pattern asks the
-- trigram index.
create function misspelled_visitors(patterns text[], location_ids uuid[], device_ids uuid[], max_rows int) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  folded text;
  hits uuid[];
  found_ids uuid[] := '{}';
begin
  foreach folded in array array(select fold_text(pattern) from unnest(patterns) with ordinality p(pattern, at) order by at) loop
    select coalesce(array_agg(h.id), '{}') into hits from (
      select few.id from (
        select v.id from visitors v
        where v.tenant_id = current_tenant()
          and (location_ids is null or v.location_id = any(location_ids))
          and (device_ids is null or v.device_id is null or v.device_id = any(device_ids))
          and v.search_text like folded
          and v.id <> all(found_ids)
        limit 500
      ) few
      order by few.id desc
      limit max_rows - cardinality(found_ids)
    ) h;
    found_ids := found_ids || hits;
    exit when cardinality(found_ids) >= max_rows;
  end loop;
  return query select unnest(found_ids);
end $$;
revoke execute on function misspelled_visitors from public;
grant execute on function misspelled_visitors to portico_app;
alter function misspelled_visitors owner to portico_system;

-- The visitors of this tenant whose texts are most like some words, for a search with a typing error: at most `max_rows`.
-- Runs as portico_system for the reason given at search_visitors.
create function similar_visitors(words text, location_ids uuid[], device_ids uuid[], max_rows int) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute $query$
    select v.id from visitors v
    where v.tenant_id = $1
      and ($3 is null or v.location_id = any($3))
      and ($4 is null or v.device_id is null or v.device_id = any($4))
      and fold_text($2) <% v.search_text
    order by fold_text($2) <<-> v.search_text, v.id desc
    limit $5
  $query$ using current_tenant(), words, location_ids, device_ids, max_rows;
end $$;
revoke execute on function similar_visitors from public;
grant execute on function similar_visitors to portico_app;
alter function similar_visitors owner to portico_system;

-- Trigger: a visitor without a device gets the one where it was online first.
-- Lists show it, and members limited to some devices see their guests by it.
create function set_first_device() returns trigger
language plpgsql as $$
begin
  -- Locked in one order, so that two batches cannot deadlock.
  perform from visitors v
  where (v.tenant_id, v.id) in (select f.tenant_id, f.visitor_id from fresh f) and v.device_id is null
  order by v.id for no key update;
  if not found then return null; end if;
  update visitors v set device_id = f.device_id
  from (
    select distinct on (x.tenant_id, x.visitor_id) x.tenant_id, x.visitor_id, x.device_id, x.location_id
    from fresh x
    where x.visitor_id is not null
    order by x.tenant_id, x.visitor_id, x.started_at) f
  where v.tenant_id = f.tenant_id and v.id = f.visitor_id and v.location_id = f.location_id and v.device_id is null;
  return null;
end $$;

-- Each device may use free access once a day. Behind a firewall that does not tell the client MAC, the visitor was made
-- with the pseudo MAC of its browser. The first redeemed ticket reveals the real MAC, and the visitor is moved to it.
-- `used_up` tells whether that device has had its time today already, through another browser.
create function set_free_access_device(p_tenant uuid, p_visitor uuid, p_pseudo_mac macaddr, p_mac macaddr, out used_up boolean)
language plpgsql as $$
declare
  mine visitors;
  earlier visitors;
  began_today boolean;
begin
  used_up := false;
  select * into mine from visitors where tenant_id = p_tenant and id = p_visitor and portal_mac = p_pseudo_mac;
  if not found then return; end if;

  select * into earlier from visitors v
  where v.tenant_id = p_tenant and v.location_id = mine.location_id and v.provider_type = mine.provider_type and v.portal_mac = p_mac
  for update;
  if found then
    select (earlier.session_start_at at time zone l.time_zone)::date = local_day(l.time_zone) into began_today
    from locations l
    where l.tenant_id = p_tenant and l.id = mine.location_id;
    if began_today then
      used_up := coalesce(earlier.session_end_at <= now(), false);
      update visitors set session_end_at = least(session_end_at, earlier.session_end_at)
      where tenant_id = p_tenant and id = mine.id;
      return;
    end if;
    update visitors set portal_mac = null where tenant_id = p_tenant and id = earlier.id;
  end if;
  update visitors set
    portal_mac = p_mac,
    name = case when name = upper(p_pseudo_mac::text) then upper(p_mac::text) else name end
  where tenant_id = p_tenant and id = mine.id;
end $$;
alter function set_free_access_device owner to portico_system;

-- Gives the visitors that have a profile another one.
create function replace_visitor_profile(p_profile uuid, p_replacement uuid) returns void
language sql as $$
  update visitors set profile_id = p_replacement, updated_at = now()
  where tenant_id = current_tenant() and profile_id = p_profile
$$;

-- Paid days of a visitor begin with a sign-in, unless they began before.
create function begin_paid_days(p_tenant uuid, p_visitor uuid, p_end timestamptz) returns void
language sql as $$
  update visitors set paid_end_at = p_end, session_end_at = least(session_end_at, p_end)
  where tenant_id = p_tenant and id = p_visitor and paid_end_at is null
$$;

-- Stores the password of a visitor that was imported with the hash of it, once the guest has typed it.
create function keep_password(p_tenant uuid, p_visitor uuid, p_before text, p_after text) returns void
language sql as $$
  update visitors set password = p_after where tenant_id = p_tenant and id = p_visitor and password = p_before
$$;

-- The clock was set back. Guests whose access began by the clock that was ahead would be refused until then: it began now, and its
-- end stays. A start that an operator chose is no moment of a sign-in, and stays too: unlike the clock it has no microseconds. A
-- tenant that moves may not be changed.
create function start_visitors_after_clock(back interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update visitors v set session_start_at = clock_timestamp()
  where session_start_at > clock_timestamp() and session_start_at <= clock_timestamp() + back + interval '1 minute' -- the look before was some seconds ago
    and (portal_mac is not null and session_start_at <> date_trunc('milliseconds', session_start_at)
      or session_start_at in (created_at, updated_at)
      or exists (select from vouchers k where k.tenant_id = v.tenant_id and k.visitor_id = v.id and k.used_at > clock_timestamp()))
    and tenant_id not in (select tenant from tenant_moves where direction = 'out' or state = 'arriving');
end $$;
revoke execute on function start_visitors_after_clock from public;
alter function start_visitors_after_clock owner to portico_system;
