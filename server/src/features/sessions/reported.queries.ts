import sql, { type Sql } from 'sql-template-tag';

/** Whether the gateway of session `s` has reported its use: by accounting, when it was polled, or at the end. */
export const isReported: Sql = sql`(s.acct_session_id not like 'unreported-%' or s.upload + s.download > 0)`;
