-- The metrics count what waits for a person or a hotel system.
create index purchases_in_doubt on purchases (state, updated_at) where state in ('refused', 'refunding');
create index room_charges_unsettled on room_charges (state, next_at) where state in ('waiting', 'sent', 'unknown');
