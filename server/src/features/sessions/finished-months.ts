import { runAlone } from '#db/alone.ts';
import { openClient } from '#db/client.ts';
import { directUrl } from '#db/direct-url.ts';
import type { App } from '#lib/app.ts';
import { isDropped, nextFinishedMonth, rebuildIndexes, rebuilding } from './finished-months.queries.ts';

/**
 * Rebuilds the indexes of one finished month, if there is one. Sessions arrive in the order of their ends, so pages of indexes are
 * split in the middle, and are little more than half full afterwards. Others read and write meanwhile.
 */
export async function rebuildFinishedMonth(app: App): Promise<void> {
  const url = directUrl(app.settings);
  await runAlone(url, rebuilding, async () => {
    const client = await openClient(url, 'finished months');
    try {
      const failures: unknown[] = [];
      for (let last = ''; ; ) {
        const month = await nextFinishedMonth(client, last);
        if (month === undefined) break;
        try {
          await rebuildIndexes(client, month);
          break;
        } catch (error) {
          // Its sessions may have been forgotten or archived meanwhile.
          if (!(await isDropped(client, month))) failures.push(error);
        }
        // A month that cannot be rebuilt keeps out no later one.
        last = month;
      }
      if (failures.length > 0) throw failures[0];
    } finally {
      await client.end();
    }
  });
}
