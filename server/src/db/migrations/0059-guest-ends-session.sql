-- Guests may end their own sessions.
alter table kicks drop constraint kicks_reason_check, add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked', 'stay-over', 'guest'));
