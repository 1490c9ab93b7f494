-- Copies that began before 0591 went by tenant and id. They would leave out sessions if they went on by id, so they begin again.
update session_archives set changed = true where state = 'copying';

-- How long an import waits, and since when its reading failed.
alter table visitor_imports add column progress_at timestamptz not null default now();
