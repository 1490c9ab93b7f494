-- The idle time of sign-ins as a setting of the tenant, and a mark for the first sign-in of an account.
alter table tenants add idle_minutes int check (idle_minutes between 5 and 43200);
alter table users add first_signed_in_at timestamptz;
-- Existing accounts count as used: their next sign-in from an unknown browser is told by mail.
update users set first_signed_in_at = created_at;
