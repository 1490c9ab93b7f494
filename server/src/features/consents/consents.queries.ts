import type { ConsentState, MarketingChannel } from '@portico/contract/consent-kinds.ts';
import type { ConsentFilter, ConsentText, MarketingConsent } from '@portico/contract/consents.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { bound, countRows, pageOf } from '#db/list.ts';
import { localTime } from '#db/local-time.ts';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** A consent of a guest: the sentence on the page, and the address or number. */
export interface NewConsent {
  readonly visitorId: string;
  readonly locationId: string;
  readonly channel: MarketingChannel;
  readonly recipient: string;
  readonly recipientHash: Buffer;
  readonly text: string;
  readonly version: string;
  readonly language: string;
  readonly mac: string;
  readonly source: MarketingConsent['source'];
  /** Now, if it is left out. */
  readonly givenAt?: Date;
}

/** Records a consent, unless the visitor has the same. One to another sentence, or for another recipient, ends. */
export async function insertConsent(tx: Tx, id: string, it: NewConsent): Promise<void> {
  await tx.run(
    sql`insert into consent_texts (version, text) values (${it.version}, ${it.text}) on conflict do nothing`,
  );
  await tx.run(sql`
    update marketing_consents set withdrawn_at = now(), withdrawn_by = 'renewal'
    where visitor_id = ${it.visitorId} and channel = ${it.channel} and withdrawn_at is null
      and (version <> ${it.version} or lower(recipient) <> lower(${it.recipient}))`);
  await tx.run(sql`
    insert into marketing_consents (id, location_id, visitor_id, channel, recipient, recipient_hash, version, language, client_mac, source, given_at)
    values (${id}, ${it.locationId}, ${it.visitorId}, ${it.channel}, ${it.recipient}, ${it.recipientHash}, ${it.version}, ${it.language},
      parse_mac(${it.mac}), ${it.source}, coalesce(${it.givenAt ?? null}::timestamptz, now()))
    on conflict do nothing`);
}

interface Given {
  readonly location_id: string;
  readonly text: string;
  readonly version: string;
  readonly language: string;
  readonly client_mac: string;
  readonly source: MarketingConsent['source'];
}

/** Renews what a visitor allowed by e-mail, who has corrected its address. The consent to the former address ends. */
export async function correctRecipient(
  tx: Tx,
  id: string,
  to: Pick<NewConsent, 'visitorId' | 'recipient' | 'recipientHash'>,
): Promise<void> {
  const given = await tx.maybe<Given>(sql`
    select c.location_id, t.text, c.version, c.language, c.client_mac, c.source
    from marketing_consents c join consent_texts t on t.version = c.version
    where c.visitor_id = ${to.visitorId} and c.channel = 'email' and c.withdrawn_at is null
      and lower(c.recipient) <> lower(${to.recipient})`);
  if (!given) return;
  const { location_id: locationId, client_mac: mac, ...rest } = given;
  await insertConsent(tx, id, { ...to, ...rest, locationId, mac, channel: 'email' });
}

export interface OpenConsent {
  channel: MarketingChannel;
  recipient: string;
  text: string;
  given_at: string;
}

/** The current consents of a visitor. */
export const listOpenOf = (tx: Tx, visitorId: string) =>
  tx.many<OpenConsent>(sql`
    select c.channel, c.recipient, t.text, c.given_at from marketing_consents c join consent_texts t on t.version = c.version
    where c.visitor_id = ${visitorId} and c.withdrawn_at is null`);

export const withdrawOf = (tx: Tx, visitorId: string, channels: readonly MarketingChannel[]) =>
  tx.run(sql`
    update marketing_consents set withdrawn_at = now(), withdrawn_by = 'guest'
    where visitor_id = ${visitorId} and channel = any(${channels}) and withdrawn_at is null`);

/** Ends the consents of a visitor that stays, and keeps the proof without the person. */
export const eraseConsents = (tx: Tx, visitorId: string) =>
  tx.run(sql`select erase_consents(current_tenant(), ${visitorId})`);

/** Returns whether there was such a consent. */
export const withdrawOne = (tx: Tx, id: string) =>
  tx.run(sql`
    update marketing_consents set withdrawn_at = now(), withdrawn_by = 'staff' where id = ${id} and withdrawn_at is null`);

/** The years for which the proof of an ended consent stays. Works across tenants. */
const proofYears = 3;
export const forgetOldProofs = (tx: Tx) =>
  tx.run(sql`
    delete from marketing_consents where visitor_id is null and withdrawn_at < now() - make_interval(years => ${proofYears})`);

/** A filter with the hashes of the recipient that is looked for. */
export interface StoredFilter extends Omit<ConsentFilter, 'search'> {
  readonly recipientHashes?: Buffer[] | undefined;
}

const stateIs: Record<ConsentState, Sql> = {
  given: sql`and c.withdrawn_at is null`,
  withdrawn: sql`and c.withdrawn_at is not null`,
};

/** A day or time without a zone is that of the location. The plain bounds beside it are for the index. */
const momentIn = (typed: string) => sql`${typed}::timestamp at time zone l.time_zone`;
const timeOf = (typed: string) => (/(Z|[+-]\d{2}:\d{2})$/.test(typed) ? sql`${typed}::timestamptz` : momentIn(typed));
/** A day as an end includes the day. */
const endOf = (typed: string) =>
  typed.length === 10 ? sql`(${typed}::date + 1)::timestamp at time zone l.time_zone` : timeOf(typed);

const fromWhere = (scope: Scope, it: StoredFilter): Sql => {
  const devices = scope.kind === 'locations' ? scope.deviceIds : null;
  return sql`
    from marketing_consents c join locations l on l.id = c.location_id left join visitors v on v.id = c.visitor_id
    where true ${andLocation(scope, sql`c.location_id`)}
    ${devices ? sql`and (v.device_id is null or v.device_id = any(${devices}))` : empty}
    ${it.channels ? sql`and c.channel = any(${it.channels})` : empty}
    ${it.states?.length === 1 ? stateIs[it.states[0]!] : empty}
    ${it.versions ? sql`and c.version = any(${it.versions})` : empty}
    ${it.from ? sql`and c.changed_at >= ${it.from}::timestamptz - interval '27 hours' and c.changed_at >= ${timeOf(it.from)}` : empty}
    ${it.to ? sql`and c.changed_at < ${it.to}::timestamptz + interval '51 hours' and c.changed_at < ${endOf(it.to)}` : empty}
    ${it.recipientHashes ? sql`and c.recipient_hash = any(${it.recipientHashes}::bytea[])` : empty}
    ${it.visitor_id ? sql`and c.visitor_id = ${it.visitor_id}` : empty}`;
};

const columns = sql`
  c.id, c.channel, case when c.withdrawn_at is null then 'given' else 'withdrawn' end as state, c.recipient,
  case when v.id is not null then case c.channel when 'email' then v.email_confirmed_at is not null and lower(v.email) = lower(c.recipient)
      or v.external_id is not null and v.email = c.recipient
    else v.provider_type = 'sms' and v.phone = c.recipient end end as confirmed,
  v.id as "visitor.id", v.name as "visitor.name", l.id as "location.id", l.name as "location.name",
  c.source, t.text, c.version, c.language, c.given_at, c.withdrawn_at, c.withdrawn_by`;
const texts = sql`join consent_texts t on t.version = c.version`;

const localTimes = sql`, ${localTime(sql`c.given_at`, sql`l.time_zone`)} as given_local,
  ${localTime(sql`c.withdrawn_at`, sql`l.time_zone`)} as withdrawn_local`;

/** Rows of a page are chosen before their columns are read. */
const listed = <T extends MarketingConsent>(tx: Tx, chosen: Sql, more: Sql = empty) =>
  tx.nested<T>(sql`
    select ${columns} ${more} from (${chosen}) n join marketing_consents c on c.id = n.id ${texts}
    join locations l on l.id = c.location_id left join visitors v on v.id = c.visitor_id order by c.changed_at desc, c.id desc`);

export async function listConsents(
  tx: Tx,
  scope: Scope,
  filter: StoredFilter & { page: number; per_page: number },
): Promise<Rows<MarketingConsent>> {
  const found = fromWhere(scope, filter);
  const [rows, total] = await Promise.all([
    listed(tx, sql`select c.id ${found} order by c.changed_at desc, c.id desc ${pageOf(filter)}`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** The sentences of the consents that match, the newest first. */
export const listConsentTexts = (tx: Tx, scope: Scope, filter: StoredFilter) =>
  tx.many<ConsentText & Record<string, unknown>>(sql`
    select n.version, t.text, n.channel, n.language, n.consents, n.first_given_at
    from (select c.version, c.channel, c.language, count(*)::int as consents, min(c.given_at) as first_given_at
      ${fromWhere(scope, filter)} group by 1, 2, 3 order by min(c.given_at) desc limit 100) n
    join consent_texts t on t.version = n.version order by n.first_given_at desc, n.version, n.channel, n.language`);

export const findConsent = async (tx: Tx, scope: Scope, id: string): Promise<MarketingConsent | undefined> =>
  (await listed(tx, sql`select c.id ${fromWhere(scope, {})} and c.id = ${id}`))[0];

/** The last row of a chunk. */
export interface Cursor {
  readonly at: string;
  readonly id: string;
}

/** A consent with its times on the clocks of the location. */
export type ExportedConsent = MarketingConsent & { given_local: string; withdrawn_local: string | null };

export interface Chunk {
  readonly rows: ExportedConsent[];
  /** Null after the last one. */
  readonly next: Cursor | null;
}

/** The next rows of an export, and where they end. */
export async function nextConsents(
  tx: Tx,
  scope: Scope,
  filter: StoredFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<Chunk> {
  const rows = await listed<ExportedConsent>(
    tx,
    sql`select c.id ${fromWhere(scope, filter)}
      ${after ? sql`and (c.changed_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : empty}
      order by c.changed_at desc, c.id desc limit ${bound(limit)}`,
    localTimes,
  );
  const last = rows.at(-1);
  return {
    rows,
    next: rows.length === limit && last ? { at: last.withdrawn_at ?? last.given_at, id: last.id } : null,
  };
}

/** A consent as İYS takes it. */
export interface IysRow {
  recipient: string;
  channel: MarketingChannel;
  given: boolean;
  /** In the time of Türkiye. */
  at: string;
}

/** The latest state of each recipient and channel, from the first recipient after `after`. */
export const nextForIys = (
  tx: Tx,
  scope: Scope,
  filter: StoredFilter,
  { after, limit }: { after: { recipient: string; channel: string } | null; limit: number },
) =>
  tx.many<IysRow>(sql`
    select distinct on (c.recipient, c.channel) c.recipient, c.channel, c.withdrawn_at is null as given,
      to_char(c.changed_at at time zone 'Europe/Istanbul', 'YYYY-MM-DD HH24:MI:SS') as at
    ${fromWhere(scope, filter)} and c.recipient is not null and (c.channel = 'email' or c.recipient like '+90%')
    ${after ? sql`and (c.recipient, c.channel) > (${after.recipient}, ${after.channel})` : empty}
    order by c.recipient, c.channel, c.changed_at desc, c.withdrawn_at nulls first limit ${bound(limit)}`);
