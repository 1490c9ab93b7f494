import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { RouterError } from '#routers/router-control.ts';

export interface ControllerState {
  asked_at: string | null;
  answered_at: string | null;
  failing_since: string | null;
  tried_at: string | null;
  problem: RouterError['kind'] | null;
  words: string | null;
  refused_at: string | null;
  refused_words: string | null;
}

/** The state of a device's controller; undefined before it was asked anything. */
export const findController = (tx: Tx, deviceId: string) =>
  tx.maybe<ControllerState>(sql`
    select asked_at, answered_at, failing_since, tried_at, problem, words, refused_at, refused_words
    from controller_states where device_id = ${deviceId}`);

/**
 * Stores that the doctor asks now; false if it asked within the last ten seconds and has no answer yet. Repeated clicks with a
 * wrong password would lock the account of the controller.
 */
export const beginAsking = async (tx: Tx, deviceId: string): Promise<boolean> =>
  (await tx.run(sql`
    insert into controller_states as s (device_id, asked_at) values (${deviceId}, now())
    on conflict (tenant_id, device_id) do update set asked_at = now()
    where s.asked_at is null or s.answered_at >= s.asked_at or s.asked_at < now() - interval '10 seconds'`)) > 0;

/**
 * Stores that the controller did what it was asked, at most once a minute. `admitted`: it admitted a guest. Returns whether
 * users had been told that it fails.
 */
export const markAnswered = async (tx: Tx, deviceId: string, admitted: boolean): Promise<boolean> => {
  const before = await tx.maybe<{ told: boolean }>(
    sql`select told from controller_states where device_id = ${deviceId} for update`,
  );
  await tx.run(sql`
    insert into controller_states as s (device_id, answered_at) values (${deviceId}, now())
    on conflict (tenant_id, device_id) do update set answered_at = now(), failing_since = null, tried_at = null, problem = null,
      words = null, told = false,
      refused_at = case when ${admitted}::boolean then null else s.refused_at end,
      refused_words = case when ${admitted}::boolean then null else s.refused_words end
    where s.answered_at is null or s.answered_at < now() - interval '1 minute' or s.failing_since is not null
      or s.asked_at > s.answered_at or (${admitted}::boolean and s.refused_at is not null)`);
  return before?.told ?? false;
};

/** Stores that it failed. Returns whether users are to be told now. */
export const markFailed = async (
  tx: Tx,
  deviceId: string,
  { problem, words }: { readonly problem: RouterError['kind']; readonly words: string },
): Promise<boolean> => {
  await tx.run(sql`
    insert into controller_states as s (device_id, failing_since, tried_at, problem, words)
    values (${deviceId}, now(), now(), ${problem}, ${words})
    on conflict (tenant_id, device_id) do update set failing_since = coalesce(s.failing_since, now()), tried_at = now(),
      problem = excluded.problem, words = excluded.words`);
  return (
    (await tx.run(sql`
      update controller_states set told = true
      where device_id = ${deviceId} and not told
        and (problem in ('login', 'certificate') or failing_since < now() - interval '2 minutes')`)) > 0
  );
};

/** Stores that it refused a guest whom the portal had accepted. */
export const markRefused = (tx: Tx, deviceId: string, words: string) =>
  tx.run(sql`
    insert into controller_states (device_id, refused_at, refused_words) values (${deviceId}, now(), ${words})
    on conflict (tenant_id, device_id) do update set refused_at = now(), refused_words = excluded.refused_words`);

/** Lets the next run try a failing controller at once: its connection was changed. */
export const tryAgain = (tx: Tx, deviceId: string) =>
  tx.run(sql`
    update controller_states set tried_at = null, refused_at = null, refused_words = null where device_id = ${deviceId}`);

/** The device has no controller any more, or another brand's. */
export const forgetController = (tx: Tx, deviceId: string) =>
  tx.run(sql`delete from controller_states where device_id = ${deviceId}`);
