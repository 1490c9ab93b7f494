import { openClient } from './client.ts';

/**
 * Runs `work` unless another process does it now. The lock has a connection of its own and ends with it, so also when the process
 * is killed. If the connection is lost earlier, another process may begin: `lost` then tells `work`, which must end if two would
 * harm each other. `url` must not lead through a pooler. Returns whether the work ran.
 */
export async function runAlone(
  url: string,
  name: string,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const client = await openClient(url, `${name} lock`);
  const lost = new AbortController();
  client.once('end', () => lost.abort(new Error(`The connection that keeps another ${name} out was lost`)));
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock(hashtext($1)) as mine', [name]);
    if (!rows[0]?.mine) return false;
    await work(lost.signal);
    return true;
  } finally {
    await client.end();
  }
}
