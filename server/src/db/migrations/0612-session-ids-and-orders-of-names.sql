-- Sessions are found by their Acct-Session-Id, whole or by its beginning. Built while others write:
-- concurrently session_history (tenant_id, acct_session_id text_pattern_ops)
create index session_history_acct on session_history (tenant_id, acct_session_id text_pattern_ops);
create index online_sessions_acct on online_sessions (tenant_id, acct_session_id text_pattern_ops);

-- How names are ordered: by the Turkish alphabet, without case and other diacritics, with q, w and x where English has them. Each
-- letter becomes one of A to `, so the order of bytes is that of the alphabet, and no server needs a collation of its own for it.
-- Signs come before digits. The letters of most names are first, because each is looked for from the left. Queries and indexes add
-- `collate "C"`.
create function sort_text(t text) returns text
language sql immutable strict parallel safe
return translate(normalize(t),
  ' aeinrlıkdmuytsboüşzgçhğvcöpfjwxq0123456789ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZÂâÄäÁáÀàÃãÅåÉéÈèÊêËëÎîÍíÌìÏïÑñÓóÒòÔôÕõÛûÚúÙù:;<=>?@[\]^_`{|}~',
  ' AFLQVOKNEPZ_YWBR[X`HDJI\CSTGM]^U0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`AAAAAAAAAAAAFFFFFFFFLLLLLLLLQQRRRRRRRRZZZZZZ!!!!!!!!!!!!!!!!!');
