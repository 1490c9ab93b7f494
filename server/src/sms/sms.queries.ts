import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface NewMessage {
  readonly id: string;
  readonly locationId: string;
  readonly phoneHash: Buffer;
  readonly mac: string;
  readonly address: string;
  /** Encrypted. */
  readonly data: string;
}

export const insertMessage = (tx: Tx, it: NewMessage) =>
  tx.run(sql`
    insert into sms_messages (id, location_id, phone_hash, client_mac, address, data)
    values (${it.id}, ${it.locationId}, ${it.phoneHash}, parse_mac(${it.mac}), ${it.address}::inet, ${it.data})`);

export interface Counts {
  /** Seconds since the last message to the number; null: none in this hour. */
  since: number | null;
  phone: number;
  device: number;
  address: number;
}

/** What was sent in the last hour to a number, and for a device and an address. */
export const countMessages = (tx: Tx, it: { phoneHash: Buffer; mac: string; address: string }) =>
  tx.one<Counts>(sql`
    select n.since, n.phone,
      (select count(*) from sms_messages where client_mac = parse_mac(${it.mac}) and created_at > now() - interval '1 hour') as device,
      (select count(*) from sms_messages where address = ${it.address}::inet and created_at > now() - interval '1 hour') as address
    from (select floor(extract(epoch from now() - max(created_at)))::int as since, count(*) as phone
          from sms_messages where phone_hash = ${it.phoneHash} and created_at > now() - interval '1 hour') n`);

export interface DueMessage {
  tenant_id: string;
  id: string;
  location_id: string;
  data: string;
  attempts: number;
  /** Seconds since it was written. */
  age: number;
}

/** Takes the messages that are due for the next `seconds`: should this process end, another takes them then. Under withSystem. */
export const takeDueMessages = (tx: Tx, limit: number, seconds: number) =>
  tx.many<DueMessage>(sql`
    with due as (
      select tenant_id, id from sms_messages where state = 'waiting' and next_at <= now()
      order by next_at limit ${limit} for update skip locked)
    update sms_messages m set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.location_id, m.data, m.attempts, extract(epoch from now() - m.created_at)::int as age`);

type Which = Pick<DueMessage, 'tenant_id' | 'id'>;

/** `way`: by the location's own gateway, under its id there; `asks`: it can be asked what became of the message. */
export const markSent = (tx: Tx, it: Which, way?: { gatewayId: string; asks: boolean }) =>
  tx.run(sql`update sms_messages set state = 'sent', sent_at = now(), data = null, problem = null, last_error = null,
      gateway_id = ${way?.gatewayId || null}, check_at = ${way?.asks && way.gatewayId ? new Date(Date.now() + 10_000) : null}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

export interface Failure {
  /** Of the problems of integrations, where it went by one. */
  readonly code: string | null;
  readonly words: string;
}

export const markFailed = (tx: Tx, it: Which, why: Failure) =>
  tx.run(sql`update sms_messages set state = 'failed', data = null, problem = ${why.code}, last_error = ${why.words}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

export const postpone = (tx: Tx, it: Which, why: Failure, seconds: number) =>
  tx.run(sql`update sms_messages set next_at = now() + make_interval(secs => ${seconds}), problem = ${why.code}, last_error = ${why.words}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

/** By which of the location's integrations it goes, and the end of the number, for its log. */
export const setWay = (tx: Tx, it: Which, integrationId: string, recipient: string) =>
  tx.run(sql`update sms_messages set integration_id = ${integrationId}, recipient = ${recipient}
    where tenant_id = ${it.tenant_id} and id = ${it.id}`);

/** Runs under withSystem. */
export const forgetOld = (tx: Tx) =>
  tx.run(sql`delete from sms_messages where created_at < now() - interval '30 days'`);
