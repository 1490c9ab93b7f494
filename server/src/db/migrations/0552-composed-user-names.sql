-- User names whose accents are signs of their own, as macOS writes them: forms and portals compose them, so these matched nothing.
-- The composed name may belong to another visitor. That one signs in with it, and the visitor here gets the next free number behind
-- it, with an entry in the audit log, which names no values of personal fields.
set local role portico_system;
do $$
declare
  v record;
  wanted text;
  free text;
  n int;
begin
  for v in
    select * from visitors where username is not null and username is not nfc normalized order by tenant_id, id for no key update
  loop
    wanted := normalize(v.username);
    free := wanted;
    n := 1;
    loop
      begin
        update visitors set username = free, updated_at = now() where tenant_id = v.tenant_id and id = v.id;
        exit;
      exception when unique_violation then
        n := n + 1;
        free := left(wanted, 60) || '-' || n;
      end;
    end loop;
    if free <> wanted then
      insert into audit_log (tenant_id, id, user_name, user_email, verb, subject_type, subject_id, subject_name, location_id, before, after)
      values (v.tenant_id, new_id(), 'Portico', '', 'update', 'visitor', v.id, regexp_replace(v.name, '(\w)\S*', '\1•••', 'g'),
        v.location_id, '{"personal": []}', '{"personal": ["username"]}');
    end if;
  end loop;
end $$;
reset role;
