-- A reversal of days that had not begun ended the access. Days sold afterwards did not lift that end, so the guest paid and was
-- refused. Such an end was set within the transaction of the reversal.
set local role portico_system;
update visitors v set session_end_at = v.paid_end_at, updated_at = now()
where v.total_paid_day > 0 and v.session_end_at <= now() and (v.paid_end_at is null or v.paid_end_at > now())
  and v.erased_at is null
  and exists (
    select from sales r
    where r.tenant_id = v.tenant_id and r.visitor_id = v.id and r.reverses is not null and r.kind = 'days'
      and v.session_end_at between r.sold_at and r.sold_at + interval '10 seconds'
      and exists (
        select from sales s
        where s.tenant_id = v.tenant_id and s.visitor_id = v.id and s.reverses is null and s.kind = 'days'
          and s.sold_at > r.sold_at));
reset role;
