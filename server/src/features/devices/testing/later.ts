import sql from 'sql-template-tag';
import type { TestApi } from '#test/harness.ts';
import { watchDevices } from '../watch.jobs.ts';

/**
 * Simulates that time has passed, by moving all timestamps of a device into the past in the steps of the watch job.
 */
export async function later({ app }: TestApi, deviceId: string, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 30) {
    const step = sql`make_interval(secs => ${Math.min(30, left)}::int)`;
    await app.db.withSystem(async tx => {
      await tx.run(sql`update devices set last_seen_at = last_seen_at - ${step}, polled_at = polled_at - ${step}, down_since = down_since - ${step},
        up_since = up_since - ${step}, offline_notified_at = offline_notified_at - ${step} where id = ${deviceId}`);
      await tx.run(sql`update online_sessions set updated_at = updated_at - ${step} where device_id = ${deviceId}`);
    });
    await watchDevices(app);
  }
}
