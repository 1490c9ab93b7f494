-- Copies that began before 0591 went by tenant and id. They would leave out sessions if they went on by id, so they begin again.
update session_archives set changed = true where state = 'copying';
