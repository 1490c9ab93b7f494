-- Charges to hotel rooms: queued in the transaction of the sale, sent over the link of the hotel system, each once.

create table room_charges (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  integration_id uuid not null,
  visitor_id uuid,
  sale_id uuid,
  key text not null, -- of the caller: a charge with the same key is the same charge
  reservation text not null,
  amount bigint not null check (amount <> 0), -- in minor units; below 0 takes a charge back
  currency text not null,
  words text not null, -- on the bill
  -- unknown: sent, but the line broke or no answer came, so that it may be on the bill
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'unknown', 'posted', 'refused', 'cancelled')),
  number bigint, -- by which the hotel system tells postings apart
  attempts int not null default 0,
  answer text, -- the code of a refusal
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  sent_at timestamptz, -- first
  answered_at timestamptz,
  purchase_id uuid, -- on the portal
  give_up_at timestamptz, -- a guest waits for the charge: after that it is not sent any more
  bill text, -- the one that has the charge, where the hotel system names it
  takes_back uuid, -- the charge that this one takes off the bill
  primary key (tenant_id, id),
  unique (tenant_id, integration_id, key),
  unique (tenant_id, integration_id, number),
  foreign key (tenant_id, integration_id) references integrations on delete cascade,
  foreign key (tenant_id, visitor_id) references visitors on delete set null (visitor_id),
  foreign key (tenant_id, sale_id) references sales on delete set null (sale_id),
  foreign key (tenant_id, purchase_id) references purchases on delete set null (purchase_id),
  foreign key (tenant_id, takes_back) references room_charges on delete set null (takes_back)
);
create index room_charges_list on room_charges (tenant_id, integration_id, id desc);
create index room_charges_open on room_charges (tenant_id, integration_id, id) where state in ('waiting', 'sent', 'unknown');
create index room_charges_unsettled on room_charges (state, next_at) where state in ('waiting', 'sent', 'unknown');
create index room_charges_sale on room_charges (tenant_id, sale_id) where sale_id is not null;
create index room_charges_visitor on room_charges (tenant_id, visitor_id) where visitor_id is not null;
create index room_charges_purchase on room_charges (tenant_id, purchase_id) where purchase_id is not null;
create index room_charges_takes_back on room_charges (tenant_id, takes_back) where takes_back is not null;
call isolate('room_charges');
create trigger announce after insert or update on room_charges
  for each row execute function announce('room-charges', 'location_id');
call tell_moments('room_charges', 'room_charge',
  '{id, integration_id, visitor_id, sale_id, amount, currency, state, answer, answered_at}',
  '{created=created_at, posted=state:posted, refused=state:refused, cancelled=state:cancelled}');

-- The answer of the hotel system decides about the purchase.
create function announce_purchase_charge() returns trigger
language plpgsql as $$
begin
  perform check_purchase_now(new.tenant_id, new.purchase_id);
  return null;
end $$;
create trigger check_purchase after update of state on room_charges
  for each row when (new.purchase_id is not null and new.state in ('posted', 'refused', 'cancelled')) execute function announce_purchase_charge();
