-- Reports that are sent by e-mail after each week or month of their location.
create table report_mails (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  name text not null,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  reports text[] not null,
  recipients text[] not null,
  language text not null check (language in ('tr', 'en')),
  with_names boolean not null,
  is_active boolean not null default true,
  done_until date not null, -- the end (exclusive) of the last period that was mailed or skipped
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index report_mails_location on report_mails (tenant_id, location_id, id desc);
create index report_mails_due on report_mails (done_until) where is_active;
call isolate('report_mails');
call tell_changes('report_mails', 'report_mail', 'location_id', '{id, name, frequency, reports, language, is_active}', '{recipients, with_names}');
call tell_moments('report_mails', 'report_mail', '{id, name, frequency, reports}', '{sent=last_sent_at:*}');
create trigger announce after insert or delete or update on report_mails
  for each row execute function announce('report-mails', 'location_id');

-- Takes an address from the recipients of reports. A report without another recipient pauses, so that its settings stay.
create function drop_recipient(p_tenant uuid, p_reports uuid[], p_email text) returns void
language sql as $$
  update report_mails r set
    recipients = case when x.others = '{}' then r.recipients else x.others end,
    is_active = r.is_active and x.others <> '{}'
  from (
    select m.id, array_remove(m.recipients, p_email) as others
    from report_mails m
    where m.tenant_id = p_tenant and m.id = any(p_reports)) x
  where r.tenant_id = p_tenant and r.id = x.id;
$$;

-- Stops the reports of a location to the address of a user.
create function stop_report_mails(p_location uuid, p_user uuid) returns void
language sql as $$
  select drop_recipient(m.tenant_id, array_agg(m.id), u.email)
  from report_mails m join users u on u.id = p_user and u.email = any(m.recipients)
  where m.location_id = p_location
  group by m.tenant_id, u.email;
$$;

-- Stops the reports of a location, or of all, to the address of a user who may not read them any more: the location is out of
-- reach, or only some of its devices are within it, or the report has names that the user may not see. The user may be gone.
-- Reports of other locations to that address are the choice of their operators.
create function stop_unreadable_reports(p_tenant uuid, p_user uuid, p_email text, p_location uuid) returns void
language sql as $$
  select drop_recipient(p_tenant, array_agg(m.id), p_email)
  from report_mails m
  join locations l on l.tenant_id = m.tenant_id and l.id = m.location_id
  left join users u on u.tenant_id = m.tenant_id and u.id = p_user
  left join location_members t on t.tenant_id = m.tenant_id and t.location_id = m.location_id and t.user_id = u.id
  where m.tenant_id = p_tenant and p_email = any(m.recipients) and (p_location is null or m.location_id = p_location)
    and (u.role in ('tenant-admin', 'auditor')
      or u.role = 'reseller' and l.owner_id = u.id
      or t.device_ids is null and 'view-basic-stats' = any(t.permissions)
        and ('view-clients' = any(t.permissions) or not (m.with_names and m.reports && '{sessions,sales}'))) is not true;
$$;

create function stop_unreadable_reports_of_member() returns trigger language plpgsql as $$
begin
  perform stop_unreadable_reports(new.tenant_id, u.id, u.email, new.location_id)
  from users u where u.tenant_id = new.tenant_id and u.id = new.user_id;
  return null;
end
$$;
create trigger stop_unreadable_reports after update on location_members for each row when (
    'view-basic-stats' = any(old.permissions) and not 'view-basic-stats' = any(new.permissions)
    or 'view-clients' = any(old.permissions) and not 'view-clients' = any(new.permissions)
    or old.device_ids is null and new.device_ids is not null)
  execute function stop_unreadable_reports_of_member();

create function stop_unreadable_reports_of_owner() returns trigger language plpgsql as $$
begin
  perform stop_unreadable_reports(new.tenant_id, u.id, u.email, new.id)
  from users u where u.tenant_id = new.tenant_id and u.id = old.owner_id;
  return null;
end
$$;
create trigger stop_unreadable_reports after update on locations
  for each row when (old.owner_id is distinct from new.owner_id and old.owner_id is not null)
  execute function stop_unreadable_reports_of_owner();

create function stop_unreadable_reports_of_administrator() returns trigger language plpgsql as $$
begin
  perform stop_unreadable_reports(old.tenant_id, old.id, old.email, null);
  return null;
end
$$;
-- At the end of the transaction: one who becomes a reseller gets locations after the role.
create constraint trigger stop_unreadable_reports after update on users deferrable initially deferred
  for each row when (old.role in ('tenant-admin', 'auditor') and new.role not in ('tenant-admin', 'auditor'))
  execute function stop_unreadable_reports_of_administrator();
create constraint trigger stop_reports_of_gone after delete on users deferrable initially deferred
  for each row when (old.role in ('tenant-admin', 'auditor'))
  execute function stop_unreadable_reports_of_administrator();
