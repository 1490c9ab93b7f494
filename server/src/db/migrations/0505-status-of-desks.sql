-- Desks can be hidden, like categories and products: their codes then lead nowhere.
alter table menu_desks add column status int not null default 1 check (status in (0, 1));
drop trigger tell_changes on menu_desks;
call tell_changes('menu_desks', 'menu_desk', 'location_id', '{id, title, prefix, number_start, number_end, number, status}',
  '{description, code}');
