-- A reversal goes to the bill that has the charge, which need not be the guest's first one.
alter table room_charges add column bill text;
alter table room_charges add column takes_back uuid;
alter table room_charges add foreign key (tenant_id, takes_back) references room_charges on delete set null (takes_back);
create index room_charges_takes_back on room_charges (tenant_id, takes_back) where takes_back is not null;
