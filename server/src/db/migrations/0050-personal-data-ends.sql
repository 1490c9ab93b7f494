-- What is personal ends after a time: visitors nobody has heard of for long, and what was typed at failed sign-ins.

alter table visitors add column erased_at timestamptz;
comment on column visitors.erased_at is 'who it was is gone; sessions, sales and counts stay';
create index visitors_idle on visitors (updated_at) where erased_at is null;

create index failed_logins_inputs on failed_logins (created_at) where params is not null;
