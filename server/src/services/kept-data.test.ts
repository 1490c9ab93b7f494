import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { jobs, runJob } from './jobs.ts';

/** The table, its moment, how long a row stays after it, and the job that deletes it. */
const kept = [
  ['remembered_guests', 'seen_at', '366 days', 'old remembered guests'],
  ['pseudo_macs', 'seen_at', '366 days', 'old remembered guests'],
  ['sms_codes', 'expires_at', '1 hour', 'old remembered guests'],
  ['guest_redirects', 'redirected_at', '12 hours', 'old remembered guests'],
  ['webhook_deliveries', 'created_at', '14 days', 'old webhook deliveries'],
  ['router_commands', 'created_at', '90 days', 'delete old router commands'],
  ['outbox_mails', 'created_at', '30 days', 'old mails'],
  ['sms_messages', 'created_at', '30 days', 'old sms'],
  ['notifications', 'created_at', '2 years', 'old notifications'],
  ['email_confirmations', 'expires_at', '30 days', 'old sign-ins'],
  ['reset_codes', 'expires_at', '1 day', 'old sign-ins'],
  ['tokens', 'expires_at', '0 days', 'old sign-ins'],
  ['tickets', 'expires_at', '1 hour', 'forget expired tickets'],
  ['admissions', 'created_at', '1 day', 'forget expired tickets'],
] as const;
type Table = (typeof kept)[number][0];

/** Columns, as SQL, that the table needs or without which the row waits for something. */
const columns: Partial<Record<Table, Record<string, string>>> = {
  router_commands: { state: "'done'", action: "'block'" },
  outbox_mails: { state: "'sent'", language: "'en'" },
  email_confirmations: { user_id: 'gen_random_uuid()' },
};

let api: TestApi;
let tenant: string;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenantId('panel');
});

const values: Readonly<Record<string, string>> = {
  ...{
    uuid: 'gen_random_uuid()',
    text: "'x'",
    bytea: "decode(md5(random()::text), 'hex')",
    jsonb: "'{}'",
    inet: "'10.0.0.1'",
  },
  ...{ bool: 'false', int2: '1', int4: '1', int8: '1', timestamptz: 'now()', _text: "'{}'", _int4: "'{}'" },
  macaddr: "('02' || substr(md5(random()::text), 1, 10))::macaddr",
};

/** Inserts a row without the rows to which it refers. What is needed and not given gets any value of its type. */
async function insert(table: Table, given: Record<string, string>): Promise<string> {
  const client = await api.app.db.pool.connect();
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    const { rows } = await client.query<{ column_name: string; udt_name: string }>(
      `select column_name, udt_name from information_schema.columns where table_schema = 'public' and table_name = $1
        and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO'`,
      [table],
    );
    const all = {
      ...Object.fromEntries(rows.map(it => [it.column_name, values[it.udt_name] ?? `null /* ${it.udt_name} */`])),
      tenant_id: `'${tenant}'`,
      ...columns[table],
      ...given,
    };
    const names = Object.keys(all).join(', ');
    const row = await client.query<{ at: string }>(
      `insert into ${table} (${names}) values (${Object.values(all).join(', ')}) returning xmin::text || ' ' || ctid::text as at`,
    );
    await client.query('commit');
    return row.rows[0]!.at;
  } finally {
    await client.query('rollback');
    client.release();
  }
}
const isThere = async (table: Table, at: string): Promise<boolean> =>
  (await api.app.db.pool.query(`select from ${table} where xmin::text || ' ' || ctid::text = $1`, [at])).rowCount === 1;
const run = (name: string) => runJob(api.app, jobs.find(it => it.name === name)!);

test.each(kept)('rows of %s stay after %s for %s, and not longer', async (table, moment, limit, job) => {
  const younger = await insert(table, { [moment]: `now() - interval '${limit}' + interval '10 minutes'` });
  const older = await insert(table, { [moment]: `now() - interval '${limit}' - interval '10 minutes'` });
  await run(job);
  expect([await isThere(table, younger), await isThere(table, older)]).toEqual([true, false]);
});

test('notifications that were read stay for a year', async () => {
  const read = (age: string) => insert('notifications', { read_at: 'now()', created_at: `now() - interval '${age}'` });
  const [younger, older] = [await read('364 days'), await read('367 days')];
  await run('old notifications');
  expect([await isThere('notifications', younger), await isThere('notifications', older)]).toEqual([true, false]);
});

test.each([
  ['router_commands', 'queued', 'delete old router commands'],
  ['router_commands', 'sent', 'delete old router commands'],
  ['outbox_mails', 'waiting', 'old mails'],
] as const)('%s that are %s stay at any age', async (table, state, job) => {
  const row = await insert(table, { state: `'${state}'`, created_at: "now() - interval '3 years'" });
  await run(job);
  expect(await isThere(table, row)).toBe(true);
});
