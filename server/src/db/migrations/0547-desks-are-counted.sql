-- A caller could send a number of desks that was not that of their range.
set local role portico_system;
update menu_desks set number = number_end - number_start + 1 where number <> number_end - number_start + 1;
reset role;
