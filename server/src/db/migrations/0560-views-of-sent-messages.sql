-- The lists of sent messages and of a batch's vouchers have saved views.
alter table saved_views drop constraint saved_views_list_check, add constraint saved_views_list_check
  check (list in ('visitors', 'online', 'history', 'imported-sessions', 'multiple-sessions', 'devices', 'vouchers', 'batch-vouchers',
    'locations', 'customers', 'portals', 'sales', 'purchases', 'consents', 'audit', 'deliveries', 'messages', 'charges'));
