import sql, { raw, type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** A column whose texts are encrypted with SECRET_KEY; `member`: within a JSON object. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  readonly member?: string;
}

/** All columns with encrypted texts. A test fails if a new one is missing here. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'devices', column: 'secret' },
  { table: 'devices', column: 'connection' },
  { table: 'radsec_authority', column: 'private_key' },
  { table: 'visitors', column: 'password' },
  { table: 'visitors', column: 'citizen_id' },
  { table: 'visitors', column: 'birth_date' },
  { table: 'visitor_import_rows', column: 'data' },
  { table: 'hotel_stays', column: 'surname' },
  { table: 'vouchers', column: 'code' },
  { table: 'purchases', column: 'code' },
  { table: 'voucher_cards', column: 'wifi_password' },
  { table: 'erased_guests', column: 'identity', member: 'citizen_id' },
  { table: 'erased_guests', column: 'identity', member: 'birth_date' },
  { table: 'integrations', column: 'connection' },
  { table: 'closed_accounts', column: 'connection' },
  { table: 'users', column: 'totp_secret' },
  { table: 'signing_keys', column: 'private_key' },
  { table: 'failed_logins', column: 'params' },
  { table: 'idempotent_replies', column: 'reply' },
  { table: 'outbox_mails', column: 'data' },
  { table: 'sms_messages', column: 'data' },
  { table: 'script_links', column: 'script' },
  { table: 'radius_proxies', column: 'secret' },
  { table: 'sso_providers', column: 'client_secret' },
  { table: 'sso_attempts', column: 'attempt' },
  { table: 'tenant_keys', column: 'keys' },
  { table: 'push_keys', column: 'private_key' },
  { table: 'push_browsers', column: 'subscription' },
];

/** A row's primary key, as text. */
export type RowKey = readonly string[];

export interface StoredText extends Record<string, unknown> {
  readonly key: RowKey;
  readonly text: string;
}

interface KeyColumn extends Record<string, unknown> {
  readonly name: string;
  readonly type: string;
}

export const keyColumnsOf = (tx: Tx, table: string): Promise<KeyColumn[]> =>
  tx.many<KeyColumn>(sql`
    select a.attname as name, format_type(a.atttypid, null) as type
    from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k(number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = ${table}::regclass and i.indisprimary order by k.place`);

const quoted = (name: string): string => `"${name}"`;
const keyList = (columns: readonly KeyColumn[]): Sql => raw(columns.map(it => quoted(it.name)).join(', '));
const keyValues = (columns: readonly KeyColumn[], key: RowKey): Sql =>
  columns.reduce(
    (list, { type }, i) => (i === 0 ? sql`${key[i]}::${raw(type)}` : sql`${list}, ${key[i]}::${raw(type)}`),
    sql``,
  );
const textOf = ({ column, member }: EncryptedColumn): Sql =>
  member ? raw(`${quoted(column)}->>'${member}'`) : raw(quoted(column));

/** A transaction number that is later than those of all transactions until now. */
export const nextTransaction = async (tx: Tx): Promise<string> =>
  (await tx.one<{ id: string }>(sql`select pg_current_xact_id()::text as id`)).id;

/** Whether every transaction that wrote before that one has ended. */
export const haveEnded = async (tx: Tx, until: string): Promise<boolean> =>
  (await tx.one<{ ended: boolean }>(sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${until}::xid8 as ended`))
    .ended;

/** The next rows with a text in the column, in the order of their keys. */
export const readTexts = (
  tx: Tx,
  at: EncryptedColumn,
  columns: readonly KeyColumn[],
  after: RowKey | undefined,
  limit: number,
): Promise<StoredText[]> =>
  tx.many<StoredText>(sql`
    select array[${raw(columns.map(it => `${quoted(it.name)}::text`).join(', '))}] as key, ${textOf(at)} as text
    from ${raw(quoted(at.table))}
    where ${textOf(at)} is not null ${after ? sql`and (${keyList(columns)}) > (${keyValues(columns, after)})` : sql``}
    order by ${keyList(columns)} limit ${limit}`);

/** Replaces a text, unless it was changed since it was read. */
export const replaceText = (
  tx: Tx,
  at: EncryptedColumn,
  columns: readonly KeyColumn[],
  { key, text }: StoredText,
  by: string,
): Promise<number> => {
  const value = at.member
    ? sql`jsonb_set(${raw(quoted(at.column))}, ${[at.member]}::text[], to_jsonb(${by}::text))`
    : sql`${by}`;
  return tx.run(sql`
    update ${raw(quoted(at.table))} set ${raw(quoted(at.column))} = ${value}
    where (${keyList(columns)}) = (${keyValues(columns, key)}) and ${textOf(at)} = ${text}`);
};
