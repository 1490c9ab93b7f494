-- Log lines from before a device got another brand have the words of the brand that it had then. A history of brands replaces the time
-- of the latest change, which databases of development may have from 0575.
drop trigger if exists note_brand_change on devices;
drop function if exists note_brand_change();
drop function if exists brand_of_lines(uuid, timestamptz, date);
alter table devices drop column if exists brand_changed_at;
alter table devices add column former_brands jsonb not null default '[]';
-- Changes from before are in the audit log, with the brand's name.
set local role portico_system;
update devices d set former_brands = a.former
from (
  select a.tenant_id, a.subject_id, jsonb_agg(jsonb_build_object('brand', b.slug, 'until', a.created_at) order by a.created_at) as former
  from audit_log a left join brands b on b.name = a.before->>'brand'
  where a.subject_type = 'device' and a.verb = 'update' and a.before->>'brand' <> a.after->>'brand'
  group by a.tenant_id, a.subject_id) a
where d.tenant_id = a.tenant_id and d.id = a.subject_id;
reset role;
-- Its log lines from before have the words of the brand that it had then.
create function note_former_brand() returns trigger
language plpgsql as $$
begin
  new.former_brands := old.former_brands
    || jsonb_build_object('brand', (select slug from brands where id = old.brand_id), 'until', now());
  return new;
end $$;
create trigger note_former_brand before update of brand_id on devices
  for each row when (new.brand_id <> old.brand_id) execute function note_former_brand();
-- The brand of a device whose words its log lines of a day have; null: unknown, as on the day of a change, which has lines of both.
-- Days are local: they begin up to 14 hours before those of UTC, and end up to 12 hours after them.
create function brand_of_lines(brand_now uuid, former jsonb, day date) returns text
language sql stable as $$
  select case
    when past.until is null then (select slug from brands where id = brand_now)
    when past.until >= (day + 1 + interval '12 hours') at time zone 'UTC' then past.brand
  end
  from (values (1)) device left join lateral (
    select it->>'brand' as brand, (it->>'until')::timestamptz as until from jsonb_array_elements(former) it
    where (it->>'until')::timestamptz > (day - interval '14 hours') at time zone 'UTC' order by 2 limit 1) past on true
$$;
