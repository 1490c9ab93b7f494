/* A licence "until" a day holds through that day on the clocks of its location. Given as a day it ended at midnight UTC before:
   those that end at exactly that moment were given so, and keep the day that their customers were told. */
create function end_of_day(day date, zone text) returns timestamptz language sql stable parallel safe as $$
  -- Clocks that are set back across midnight show it twice, and PostgreSQL means the second one.
  select case when ((next - interval '1 hour') at time zone zone)::date > day then next - interval '1 hour' else next end - interval '1 second'
  from (select (day + 1)::timestamp at time zone zone as next) it $$;

update locations set license_end_at = end_of_day((license_end_at at time zone 'UTC')::date, time_zone)
where license_end_at = date_trunc('day', license_end_at, 'UTC') and license_end_at < '9000-01-01Z';
