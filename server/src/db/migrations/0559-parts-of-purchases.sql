-- A provider may pay a part of a purchase back, which need not be whole days.
alter table purchases add returned bigint not null default 0;
alter table sales drop constraint sales_days_check, drop constraint sales_check;
alter table sales add constraint sales_check check (case when reverses is null then days > 0 else days <= 0 end) not valid;
