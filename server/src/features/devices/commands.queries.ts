import type { CommandAction, RouterCommand, RouterProtocol } from '@portico/contract/router-control.ts';
import sql, { type Sql } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import { brandsWith } from '#routers/drivers.ts';
import type { Binding, DeviceCommand } from '#routers/router-control.ts';

const columns = sql`c.id, c.action, c.command->>'mac' as mac, c.state, c.words, c.driver, c.attempts, c.created_at, c.sent_at, c.answered_at,
  case when c.state = 'queued' and c.attempts > 0 then c.next_at end as next_at`;

export async function listCommands(
  tx: Tx,
  deviceId: string,
  at: { page: number; per_page: number },
): Promise<Rows<RouterCommand>> {
  const found = sql`from router_commands c where c.device_id = ${deviceId}`;
  const [rows, total] = await Promise.all([
    tx.many<RouterCommand>(sql`select ${columns} ${found} order by c.id desc ${pageOf(at)}`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}

/** The effective rules of MACs at a device, one row each. Blocked comes before bypassed, because a block wins. */
export const bindingsOf = (tx: Tx, deviceId: string, macs: readonly string[]) =>
  tx.many<{ mac: string; bindings: Binding[]; open: boolean }>(sql`
    select w.mac, d.hotspot_status as open, coalesce(b.bindings, '[]') as bindings
    from devices d cross join unnest(${macs}::macaddr[]) w(mac)
    left join lateral (
      select jsonb_agg(distinct jsonb_build_object('type', m.type, 'address', text(network(set_masklen(n.start_ip, n.subnet))))) as bindings
      from mac_rules m left join networks n on n.device_id = m.device_id and n.id = any(m.networks)
      where m.device_id = d.id and m.mac = w.mac and (m.networks = '{}' or n.id is not null)) b on true
    where d.id = ${deviceId}`);

/** The MACs with a rule for this network of a device. */
export const macsOfNetwork = async (tx: Tx, deviceId: string, networkId: string): Promise<string[]> =>
  (
    await tx.many<{ mac: string }>(
      sql`select distinct mac from mac_rules where device_id = ${deviceId} and ${networkId} = any(networks)`,
    )
  ).map(row => row.mac);

/** Whether a device's hotspot is on, and the MACs with rules. */
export const rulesOf = (tx: Tx, deviceId: string) =>
  tx.one<{ open: boolean; macs: string[] }>(sql`
    select d.hotspot_status as open,
      coalesce((select array_agg(distinct m.mac::text) from mac_rules m where m.device_id = d.id), '{}') as macs
    from devices d where d.id = ${deviceId}`);

/** The brands that take a command. */
const taking = (kind: DeviceCommand['kind']) => brandsWith(driver => driver.control?.takes.includes(kind) ?? false);
const takers = { bindings: taking('bindings'), hotspot: taking('hotspot'), logout: taking('logout') } as const;

/**
 * The given devices whose routers take such commands. `reachable`: a command can reach the router now, directly or by
 * polling.
 */
export const findRouters = (tx: Tx, deviceIds: readonly string[], kind: DeviceCommand['kind']) =>
  tx.many<{ id: string; reachable: boolean }>(sql`
    select d.id, d.connection is not null or coalesce(d.polled_at > now() - interval '1 hour', false) as reachable
    from devices d join brands b on b.id = d.brand_id where d.id = any(${deviceIds}) and b.slug = any(${takers[kind]}::text[])`);

export interface NewCommand {
  readonly id: string;
  readonly device: string;
  readonly key: string;
  readonly action: CommandAction;
  readonly command: DeviceCommand;
}

/**
 * Queues commands. An identical waiting command stays, and a different one about the same subject is replaced. If the old one is
 * being sent, the new one waits for its result.
 */
export async function insertCommands(tx: Tx, userId: string | null, commands: readonly NewCommand[]): Promise<void> {
  const devices = [...new Set(commands.map(it => it.device))];
  // Before the commands are changed, because a deletion locks a device before its commands.
  await tx.run(sql`select from devices where id = any(${devices}) order by id for key share`);
  // A lock of their own: those of kind `router` would keep accounting waiting until the commit.
  await tx.run(sql`
    select pg_advisory_xact_lock(key)
    from (select lock_key('router-commands', id::text) as key from unnest(${devices}::uuid[]) id order by 1) x`);
  const wanted = sql`
    jsonb_to_recordset(${JSON.stringify(commands)}::jsonb) as w(id uuid, device uuid, key text, action text, command jsonb)`;
  // Processes of 0.5.0 lock otherwise. Commands that they queued meanwhile are replaced too.
  for (let left = commands.length, tries = 0; left > 0 && tries < 5; tries += 1) {
    await tx.run(sql`
      update router_commands c set state = 'replaced' from ${wanted}
      where c.device_id = w.device and c.key = w.key and c.state in ('queued', 'sent') and c.command <> w.command`);
    left -= await tx.run(sql`
      insert into router_commands (id, location_id, device_id, key, action, command, requested_by)
      select w.id, d.location_id, d.id, w.key, w.action, w.command, ${userId} from ${wanted} join devices d on d.id = w.device
      where not exists (select from router_commands c where c.device_id = d.id and c.key = w.key and c.state in ('queued', 'sent'))
      on conflict (tenant_id, device_id, key) where state in ('queued', 'sent') do nothing`);
    if (left > 0)
      left = (
        await tx.many(sql`
          select from ${wanted} join devices d on d.id = w.device
          where not exists (select from router_commands c where c.device_id = w.device and c.key = w.key and c.command = w.command and c.state in ('queued', 'sent'))`)
      ).length;
  }
  // A sign-out that was asked for again is not late.
  await tx.run(sql`
    update router_commands c set created_at = now() from ${wanted}
    where c.device_id = w.device and c.key = w.key and c.command = w.command and c.id <> w.id
      and c.action = 'logout' and c.state in ('queued', 'sent')`);
}

export const findCommand = (tx: Tx, deviceId: string, id: string) =>
  tx.maybe<RouterCommand>(
    sql`select ${columns} from router_commands c where c.device_id = ${deviceId} and c.id = ${id}`,
  );

const newest = sql`not exists (select from router_commands n where n.tenant_id = c.tenant_id and n.device_id = c.device_id and n.key = c.key and n.id > c.id)`;

/**
 * Sends failed commands again, unless a newer one about the same subject exists, and waiting ones immediately. `id` null: all
 * commands of the device.
 */
export const requeue = (tx: Tx, deviceId: string, id: string | null) =>
  tx.many<RouterCommand>(sql`
    update router_commands c set state = 'queued', attempts = 0, next_at = now()
    where c.device_id = ${deviceId} and (${id}::uuid is null or c.id = ${id})
      and (c.state = 'queued' or c.state = 'failed' and c.action <> 'logout') and ${newest}
    returning ${columns}`);

/** The lease of a command. A sender that keeps one for longer has crashed. */
const lease = sql`interval '60 seconds'`;
const underWay = (tenant: Sql, device: Sql, but: Sql): Sql => sql`exists (
  select from router_commands u where u.tenant_id = ${tenant} and u.device_id = ${device} and u.state in ('sent', 'replaced')
    and u.answered_at is null and u.sent_at > now() - ${lease} ${but})`;
const waiting = sql`(c.state = 'queued' or (c.state = 'sent' and c.sent_at < now() - ${lease}))`;

/** A sign-out that waited for so long could affect a later guest, or the same one after another sign-in. */
const logoutIsLate = sql`(c.action = 'logout' and c.created_at < now() - interval '10 minutes')`;

/** Fails old sign-outs that no process is sending now. Those that another transaction changes are left for the next run. */
export const failLateLogouts = (tx: Tx) =>
  tx.run(sql`
    update router_commands l set state = 'failed', answered_at = now(), words = 'too late'
    where (l.tenant_id, l.id) in (
      select c.tenant_id, c.id from router_commands c
      where c.state in ('queued', 'sent') and ${waiting} and ${logoutIsLate} for update of c skip locked)`);

export interface ClaimedCommand {
  id: string;
  tenant_id: string;
  device_id: string;
  brand: string;
  command: DeviceCommand;
  attempts: number;
  /** Encrypted. */
  connection: string;
  certificate: string | null;
  /** The router polls, so it can be reached without a direct connection. */
  polls: boolean;
}

/**
 * Claims the due commands of directly reachable routers, across tenants. Only one process talks to a router at a time: the
 * second statement sees what another process claimed before this one got the locks.
 */
export async function claimDue(tx: Tx, limits: { devices: number; commands: number }): Promise<ClaimedCommand[]> {
  const devices = await tx.many<{ tenant_id: string; id: string }>(sql`
    select d.tenant_id, d.id from devices d
    where (d.tenant_id, d.id) in (select c.tenant_id, c.device_id from router_commands c
        where c.state in ('queued', 'sent') and ${waiting} and (c.state = 'sent' or c.next_at <= now()))
      and d.connection is not null and not ${underWay(sql`d.tenant_id`, sql`d.id`, sql``)}
    limit ${limits.devices} for no key update of d skip locked`);
  if (devices.length === 0) return [];
  return tx.many<ClaimedCommand>(sql`
    with due as (
      select d.tenant_id, d.id from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as d(tenant_id uuid, id uuid)
      where not ${underWay(sql`d.tenant_id`, sql`d.id`, sql``)}),
    chosen as (
      select c.tenant_id, c.id from due cross join lateral (
        select c.tenant_id, c.id from router_commands c
        where c.tenant_id = due.tenant_id and c.device_id = due.id and c.state in ('queued', 'sent') and ${waiting}
        order by c.id limit ${limits.commands}) c),
    taken as (
      update router_commands c set state = 'sent', sent_at = now(), answered_at = null, attempts = c.attempts + 1, driver = null
      from chosen where c.tenant_id = chosen.tenant_id and c.id = chosen.id returning c.*)
    select t.id, t.tenant_id, t.device_id, t.command, t.attempts, d.connection, d.certificate,
      (select b.slug from brands b where b.id = d.brand_id) as brand, coalesce(d.polled_at > now() - interval '3 minutes', false) as polls
    from taken t join devices d on d.tenant_id = t.tenant_id and d.id = t.device_id order by t.id`);
}

/** Claims the commands for a router that polls. Commands that it got but did not answer are sent again. */
export const claimForPoll = (tx: Tx, deviceId: string, ids: readonly string[]) =>
  tx.run(sql`
    update router_commands set state = 'sent', sent_at = now(), answered_at = null, attempts = attempts + 1, driver = 'poll'
    where device_id = ${deviceId} and id = any(${ids})`);

/** The commands that wait for a polling router; none while another process talks to it directly. */
export const waitingForPoll = (tx: Tx, deviceId: string, limit: number) =>
  tx.many<{ id: string; command: DeviceCommand }>(sql`
    select c.id, c.command from router_commands c
    where c.device_id = ${deviceId} and (c.state = 'queued' or c.state = 'sent' and (c.driver = 'poll' or c.sent_at < now() - ${lease}))
      and not ${underWay(sql`c.tenant_id`, sql`c.device_id`, sql`and u.driver is distinct from 'poll'`)}
    order by c.id limit ${limit}`);

/**
 * Fails commands that a router fetched too often without a result, and old sign-outs, because they could affect a later guest.
 */
export const failStale = (tx: Tx, deviceId: string, maxAttempts: number) =>
  tx.run(sql`
    update router_commands c set state = 'failed', answered_at = now(),
      words = case when c.action = 'logout' then 'too late' else 'the router never confirmed it' end
    where c.device_id = ${deviceId} and c.state in ('queued', 'sent')
      and (${logoutIsLate}
        or c.driver = 'poll' and c.state = 'sent' and c.attempts >= ${maxAttempts})`);

export interface Outcome {
  readonly state: 'done' | 'failed' | 'queued';
  readonly words: string;
  readonly driver: RouterProtocol | 'poll';
  readonly pauseSeconds?: number;
  /** The command was not started, so this does not count as an attempt. */
  readonly untouched?: boolean;
}

/**
 * Stores the result of a command. One that a newer command has replaced stays replaced, but no longer blocks the
 * router.
 */
export const answerCommand = (tx: Tx, id: string, it: Outcome) =>
  tx.run(sql`
    update router_commands set answered_at = now(), driver = ${it.driver},
      words = ${it.words}, attempts = attempts - ${it.untouched ? 1 : 0},
      next_at = now() + make_interval(secs => ${it.pauseSeconds ?? 0}),
      state = case when state = 'sent' then ${it.state} else state end
    where id = ${id}`);

export const commandsOf = (tx: Tx, deviceId: string, ids: readonly string[]) =>
  tx.many<{ id: string; command: DeviceCommand }>(
    sql`select c.id, c.command from router_commands c where c.device_id = ${deviceId} and c.id = any(${ids}::uuid[])`,
  );

/** The same for commands that a router fetched. Unknown ids, and commands that are not under way, are ignored. */
export const answerPolled = (
  tx: Tx,
  deviceId: string,
  outcomes: readonly { readonly id: string; readonly state: 'done' | 'failed'; readonly words: string }[],
) =>
  tx.run(sql`
    update router_commands c set answered_at = now(), words = o.words, state = case when c.state = 'sent' then o.state else c.state end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o(id uuid, state text, words text)
    where c.device_id = ${deviceId} and c.id = o.id and c.driver = 'poll' and c.state in ('sent', 'replaced') and c.answered_at is null`);

export const deleteOldCommands = (tx: Tx) =>
  tx.run(sql`
    delete from router_commands where created_at < now() - interval '90 days' and state not in ('queued', 'sent')`);
