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

-- Stops the reports of a location to the address of a user. One without another recipient pauses, so that its settings stay.
create function stop_report_mails(p_location uuid, p_user uuid) returns void
language sql as $$
  update report_mails r set
    recipients = case when x.others = '{}' then r.recipients else x.others end,
    is_active = r.is_active and x.others <> '{}'
  from (
    select m.id, array_remove(m.recipients, lower(u.email)) as others
    from report_mails m join users u on u.id = p_user and lower(u.email) = any(m.recipients)
    where m.location_id = p_location) x
  where r.id = x.id;
$$;
