-- Nothing: 0554 keeps the brands that devices had. Databases of development know this name.
select 1;
