alter table purchases add column windows int not null default 0; -- how often free minutes for the payment were given
update purchases set windows = 1 where window_at is not null;
