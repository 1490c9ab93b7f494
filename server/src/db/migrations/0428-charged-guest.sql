-- The hotel guest whose room a purchase is charged to.
alter table purchases
  add column charged_visitor_id uuid,
  add foreign key (tenant_id, charged_visitor_id) references visitors on delete set null (charged_visitor_id);
create index purchases_charged on purchases (tenant_id, charged_visitor_id) where charged_visitor_id is not null;
