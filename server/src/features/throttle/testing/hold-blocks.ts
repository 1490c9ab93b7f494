import sql from 'sql-template-tag';
import type { App } from '#lib/app.ts';

/**
 * Lengthens the blocks that have just begun. The first block lasts one second, which a busy machine may take until its next
 * request. What is not blocked stays so.
 */
export const holdBlocks = (app: Pick<App, 'db'>) =>
  app.db.withSystem(tx =>
    tx.run(sql`
      update throttles set blocked_until = now() + interval '1 hour' where blocked_until > now() - interval '1 minute'`),
  );
