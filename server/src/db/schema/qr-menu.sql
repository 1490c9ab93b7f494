-- The QR menu of a venue: categories, products, desks and how often their codes were scanned.
create table menu_categories (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  title_en text not null default '',
  description text not null default '',
  description_en text not null default '',
  status int not null default 1 check (status in (0, 1)),
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_categories_order on menu_categories (tenant_id, location_id, position, id);
call isolate('menu_categories');
call tell_changes('menu_categories', 'menu_category', 'location_id', '{id, title, title_en, status, position}',
  '{description, description_en}');
create trigger announce after insert or delete or update on menu_categories
  for each row execute function announce('qr-menu', 'location_id');

create table menu_products (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  title_en text not null default '',
  description text not null default '',
  description_en text not null default '',
  description_long text not null default '',
  description_long_en text not null default '',
  ingredients text[] not null default '{}',
  ingredients_en text[] not null default '{}',
  allergens text[] not null default '{}',
  allergens_en text[] not null default '{}',
  product_time int, -- minutes to prepare
  calorie int,
  price numeric(12,2),
  currency text not null default 'try',
  status int not null default 1 check (status in (0, 1)),
  position int not null default 0,
  image text, -- path without its extension: stored in two sizes
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_products_order on menu_products (tenant_id, location_id, position, id);
call isolate('menu_products');
call tell_changes('menu_products', 'menu_product', 'location_id', '{id, title, title_en, price, currency, status, position}',
  '{description, description_en, description_long, description_long_en, ingredients, ingredients_en, allergens, allergens_en,
    product_time, calorie, image}');
create trigger announce after insert or delete or update on menu_products
  for each row execute function announce('qr-menu', 'location_id');

create table menu_product_categories (
  tenant_id uuid not null,
  product_id uuid not null,
  category_id uuid not null,
  primary key (tenant_id, product_id, category_id),
  foreign key (tenant_id, product_id) references menu_products on delete cascade,
  foreign key (tenant_id, category_id) references menu_categories on delete cascade
);
create index menu_product_categories_category on menu_product_categories (tenant_id, category_id);
call isolate('menu_product_categories');

-- Desks that share a title: prefix + number_start … number_end. The printed code leads to them; it is unique across tenants,
-- because a guest's phone knows no tenant.
create table menu_desks (
  tenant_id uuid not null,
  id uuid not null,
  location_id uuid not null,
  title text not null,
  description text not null default '',
  prefix text not null default '',
  number_start int not null default 1,
  number_end int not null default 1,
  number int not null default 1,
  status int not null default 1 check (status in (0, 1)), -- 0: the codes lead nowhere
  code text not null check (code ~ '^[a-z0-9]{10,16}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations on delete cascade
);
create index menu_desks_newest on menu_desks (tenant_id, location_id, id desc);
create unique index menu_desks_code on menu_desks (code);
call isolate('menu_desks');
call tell_changes('menu_desks', 'menu_desk', 'location_id', '{id, title, prefix, number_start, number_end, number, status}', '{description, code}');
create trigger announce after insert or delete or update on menu_desks
  for each row execute function announce('qr-menu', 'location_id');

create table menu_scans (
  tenant_id uuid not null,
  desk_id uuid not null,
  number int not null,
  day date not null,
  scans int not null default 1,
  last_scanned_at timestamptz not null default now(),
  primary key (tenant_id, desk_id, number, day),
  foreign key (tenant_id, desk_id) references menu_desks on delete cascade
);
create index menu_scans_old on menu_scans (day);
call isolate('menu_scans');
