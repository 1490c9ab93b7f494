-- Sessions are found by their Acct-Session-Id, whole or by its beginning. Built while others write:
-- concurrently session_history (tenant_id, acct_session_id text_pattern_ops)
create index session_history_acct on session_history (tenant_id, acct_session_id text_pattern_ops);
create index online_sessions_acct on online_sessions (tenant_id, acct_session_id text_pattern_ops);
