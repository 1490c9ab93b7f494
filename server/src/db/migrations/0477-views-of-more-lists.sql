-- Views of the lists of devices and of vouchers.
alter table saved_views drop constraint saved_views_list_check;
alter table saved_views add constraint saved_views_list_check check (list in ('visitors', 'online', 'history', 'devices', 'vouchers'));
