-- A member who is removed from a location gets no more reports of it.
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
