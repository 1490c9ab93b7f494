import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { callerNetwork, callerSite } from '#lib/caller-network.ts';

export interface NewMessage {
  readonly id: string;
  readonly locationId: string;
  readonly phoneHash: Buffer;
  readonly mac: string;
  readonly address: string;
  /** Encrypted. */
  readonly data: string;
  /** It is not sent later than that, because the code in it is no longer valid then. */
  readonly seconds?: number;
}

export const insertMessage = (tx: Tx, it: NewMessage) =>
  tx.run(sql`
    insert into sms_messages (id, location_id, phone_hash, client_mac, address, data, expires_at)
    values (${it.id}, ${it.locationId}, ${it.phoneHash}, parse_mac(${it.mac}), ${it.address}::inet, ${it.data},
      now() + make_interval(secs => ${it.seconds ?? null}))`);

const giveUp = async (
  tx: Tx,
  those: readonly Which[],
  words: string,
  refused?: Pick<Failure, 'code'>,
): Promise<number> =>
  (
    await tx.one<{ given_up: number }>(sql`
      select give_up_messages(${those.map(it => it.tenant_id)}::uuid[], ${those.map(it => it.id)}::uuid[], ${refused !== undefined},
        ${refused?.code ?? null}, ${words}) as given_up`)
  ).given_up;

/** The code of a guest device has been replaced, so a message with it that still waits is not sent. */
export async function dropReplaced(tx: Tx, it: Pick<NewMessage, 'locationId' | 'phoneHash' | 'mac'>): Promise<void> {
  const replaced = await tx.many<Which>(sql`
    select tenant_id, id from sms_messages
    where state = 'waiting' and expires_at is not null and location_id = ${it.locationId} and phone_hash = ${it.phoneHash}
      and client_mac = parse_mac(${it.mac})`);
  if (replaced.length > 0) await giveUp(tx, replaced, 'The code was replaced');
}

export interface Counts {
  /** Seconds since the last message to the number; null: none in this hour. */
  since: number | null;
  phone: number;
  device: number;
  address: number;
  site: number;
}

/** The network that counts as one connection, as for failed sign-ins. */
function networkOf(address: string): string {
  const network = callerNetwork(address);
  return network.includes(':') ? `${network}::/64` : network;
}

/** All networks of a customer of an IPv6 provider; null for IPv4. */
function siteOf(address: string): string | null {
  const site = callerSite(address);
  return site === undefined ? null : `${site}::/48`;
}

/** The messages of the last hour to a number, for a device, for a network and for a site. */
export const countMessages = (tx: Tx, it: { phoneHash: Buffer; mac: string; address: string }) =>
  tx.one<Counts>(sql`
    select n.since, n.phone,
      (select count(*) from sms_messages where client_mac = parse_mac(${it.mac}) and created_at > now() - interval '1 hour') as device,
      (select count(*) from sms_messages where address <<= ${networkOf(it.address)}::inet and created_at > now() - interval '1 hour')
        as address,
      (select count(*) from sms_messages where address <<= ${siteOf(it.address)}::inet and created_at > now() - interval '1 hour') as site
    from (select floor(extract(epoch from now() - max(created_at)))::int as since, count(*) as phone
          from sms_messages where phone_hash = ${it.phoneHash} and created_at > now() - interval '1 hour') n`);

export interface DueMessage {
  tenant_id: string;
  id: string;
  location_id: string;
  data: string;
  attempts: number;
  /** Seconds until its code expires; null: it has none. */
  left: number | null;
}

/** Gives up the messages whose code has expired. Returns how many. Runs under withSystem. */
export async function dropExpired(tx: Tx): Promise<number> {
  const expired = await tx.many<Which>(
    sql`select tenant_id, id from sms_messages where state = 'waiting' and next_at <= now() and expires_at <= now()`,
  );
  return expired.length > 0 ? giveUp(tx, expired, 'The code expired before it was sent') : 0;
}

/**
 * Claims due messages for the next `seconds`, without those of the locations in `busy`. If this process ends, another one
 * claims them after that time. Runs under withSystem.
 */
export const claimDueMessages = (tx: Tx, limit: number, seconds: number, busy: readonly string[]) =>
  tx.many<DueMessage>(sql`
    with due as (
      select tenant_id, id from sms_messages where state = 'waiting' and next_at <= now() and location_id <> all(${busy}::uuid[])
        and (expires_at is null or expires_at > now())
      order by next_at limit ${limit} for update skip locked)
    update sms_messages m set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.location_id, m.data, m.attempts, extract(epoch from m.expires_at - now())::int as left`);

type Which = Pick<DueMessage, 'tenant_id' | 'id'>;

/** `gateway`: sent by the location's own gateway, with its id of the message; `reports`: it reports deliveries. */
export async function markSent(tx: Tx, it: Which, gateway?: { gatewayId: string; reports: boolean }): Promise<void> {
  await tx.run(sql`call accept_message(${it.tenant_id}, ${it.id})`);
  if (gateway?.gatewayId)
    await tx.run(sql`update sms_messages set gateway_id = ${gateway.gatewayId}, check_at = ${gateway.reports ? new Date(Date.now() + 10_000) : null}
      where tenant_id = ${it.tenant_id} and id = ${it.id}`);
}

export interface Failure {
  /** The problem of the integration that sent it, if one did. */
  readonly code: string | null;
  readonly words: string;
}

export const markFailed = (tx: Tx, it: Which, why: Failure) => giveUp(tx, [it], why.words, why);

export const postpone = (tx: Tx, it: Which, why: Failure, seconds: number) =>
  tx.run(sql`update sms_messages set next_at = now() + make_interval(secs => ${seconds}), problem = ${why.code}, last_error = ${why.words}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

/** Sets the integration that sends it, and the end of the number, for the integration's log. */
export const setGateway = (tx: Tx, it: Which, integrationId: string, recipient: string) =>
  tx.run(sql`update sms_messages set integration_id = ${integrationId}, recipient = ${recipient}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

/** Runs under withSystem. */
export const forgetOld = (tx: Tx) =>
  tx.run(sql`delete from sms_messages where created_at < now() - interval '30 days'`);
