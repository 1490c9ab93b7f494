-- What a voucher added to the access of a guest who had another one, so that its revocation ends only that.
alter table vouchers add column added_from timestamptz, add column added_until timestamptz;
