import { openClient } from './client.ts';

/**
 * Runs `work` unless another process does it now. The lock has a connection of its own and ends with it, so also when the process
 * is killed. `url` must not lead through a pooler. Returns whether the work ran.
 */
export async function runAlone(url: string, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await openClient(url, `${name} lock`);
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [name]);
    if (!rows[0]?.mine) return false;
    await work();
    return true;
  } finally {
    await client.end();
  }
}
