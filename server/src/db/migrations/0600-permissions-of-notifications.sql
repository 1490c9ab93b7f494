-- A member who loses a permission no longer sees the notices that need it.
alter table notifications add column permission text;
