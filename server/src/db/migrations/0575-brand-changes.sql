-- Log lines from before a device got another brand have the words of the brand that it had then.
alter table devices add column brand_changed_at timestamptz;
-- Changes from before are in the audit log.
set local role portico_system;
update devices d set brand_changed_at = a.changed_at
from (
  select tenant_id, subject_id, max(created_at) as changed_at
  from audit_log
  where subject_type = 'device' and verb = 'update' and before->>'brand' <> after->>'brand'
  group by tenant_id, subject_id) a
where d.tenant_id = a.tenant_id and d.id = a.subject_id;
reset role;
create function note_brand_change() returns trigger
language plpgsql as $$
begin
  new.brand_changed_at := now();
  return new;
end $$;
create trigger note_brand_change before update of brand_id on devices
  for each row when (new.brand_id <> old.brand_id) execute function note_brand_change();
-- The brand of a device whose words its log lines of a day have; null: unknown. `changed_at`: when it last got another brand. That
-- day has lines of both. Days are local, and begin up to 14 hours before those of UTC.
create function brand_of_lines(brand uuid, changed_at timestamptz, day date) returns text
language sql stable as $$
  select slug from brands
  where id = brand and (changed_at is null or day > ((changed_at at time zone 'UTC') + interval '14 hours')::date)
$$;
