alter table devices add unsigned_at timestamptz; -- when a guest last arrived with a signature that does not fit its secret
alter table devices add coa_asked_at timestamptz; -- when the doctor last sent a CoA request
alter table devices add coa_answered_at timestamptz; -- when it got the answer, or gave up
alter table devices add coa_answer text check (coa_answer in ('ok', 'silent', 'refused'));
