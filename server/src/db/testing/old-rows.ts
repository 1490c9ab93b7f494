import type { Pool, PoolClient } from 'pg';

/** The id of every row, so that every reference between rows holds. */
const id = '019aa000-0000-7000-8000-000000000001';
const at = '2026-11-03T10:20:30Z';

/** A value for each type; nullable columns are filled too. */
const byType: Readonly<Record<string, string>> = {
  uuid: id,
  text: 'x',
  integer: '1',
  smallint: '1',
  bigint: '1',
  'numeric(12,2)': '1.5',
  boolean: 'true',
  jsonb: '{"key": "ğ"}',
  'timestamp with time zone': at,
  tstzmultirange: '{[2026-11-03 10:00Z,2026-11-03 11:00Z]}',
  date: '2026-11-03',
  macaddr: '02:00:00:00:00:01',
  inet: '192.0.2.1',
  bytea: '\\x01',
  'text[]': '{x,y}',
  'uuid[]': `{${id}}`,
  'bytea[]': '{"\\\\x01"}',
  'macaddr[]': '{02:00:00:00:00:01}',
  'integer[]': `{${Array.from({ length: 60 }, (_, i) => i).join(',')}}`,
};

/** Columns whose checks allow some values only; null leaves the column empty. */
const byColumn: Readonly<Record<string, string | null>> = {
  'users.role': 'member',
  'tenant_domains.variant': 'standard',
  'tenants.password_min': '8',
  'locations.time_zone': 'Europe/Istanbul',
  'tenants.time_zone': 'Europe/Istanbul',
  'locations.portal_periods': '[]',
  'devices.portal_periods': '[]',
  'locations.suspended_by': 'reseller',
  'roles.location_id': null,
  'roles.name': 'Viewer',
  'roles.ready_made': 'viewer',
  'devices.brand_id': '0b0a0000-0000-4000-8000-000000000001',
  'devices.model_id': null,
  'devices.nas_identifier': 'abcdefgh',
  'mac_rules.type': 'blocked',
  'visitors.provider_type': 'username',
  'visitors.erased_at': null,
  'session_archives.state': 'copying',
  'tenant_moves.direction': 'in',
  'tenant_moves.state': 'arrived',
  'session_history.close_reason': 'stop',
  'kicks.state': 'requested',
  'kicks.kind': 'end',
  'kicks.reason': 'operator',
  'sales.currency': 'eur',
  'portal_ads.type': 'image',
  'portal_ads.retired_from': null,
  'portal_surveys.questions': '[]',
  'portal_surveys.retired_from': null,
  'portal_rules.state': 'before_login',
  'portal_rules.action': 'redirect_to_url',
  'portal_rules.survey_id': null,
  'email_confirmations.visitor_id': null,
  'invitations.closed_as': 'accepted',
  'log_files.type': 'dns',
  'log_files.problem': 'missing',
  'log_tops.kind': 'website',
  'log_top_hours.kind': 'website',
  'log_losses.reason': 'flood',
  'guest_agent_days.kind': 'platform',
  'report_mails.frequency': 'weekly',
  'router_commands.action': 'block',
  'router_commands.driver': 'rest',
  'router_commands.state': 'queued',
  'menu_desks.code': 'abcdefghij',
  'outbox_mails.state': 'waiting',
  'sms_messages.state': 'waiting',
  'webhook_deliveries.state': 'waiting',
  'printers.port': '9100',
  'sso_mappings.location_id': null,
  'sso_mappings.role_id': null,
  // A view is of a user or of a location.
  'saved_views.location_id': null,
  language: 'en',
};

/** The names that 0101 and later migrations changed. */
const tableNames: Readonly<Record<string, string>> = {
  kicks: 'session_commands',
  log_losses: 'log_dropped_lines',
  guests_led_away: 'guest_redirects',
  unnamed_devices: 'pseudo_macs',
};
const columnNames: Readonly<Record<string, string>> = {
  'router_commands.wish': 'command',
  'tickets.stands_for': 'pseudo_mac',
  'pseudo_macs.stands_for': 'pseudo_mac',
  'guest_redirects.led_at': 'redirected_at',
  'devices.offline_told': 'offline_notified',
  'devices.offline_told_at': 'offline_notified_at',
  'devices.distrusted_at': 'bad_secret_at',
  'devices.distrusted_address': 'bad_secret_address',
  'device_certificates.ending_told': 'expiry_notified',
  'roles.ready_made': 'built_in',
  'notifications.once': 'dedupe_key',
  'integrations.doubted': 'last_read_empty',
  'clock.looked_at': 'checked_at',
  'clock.one': 'singleton',
  'online_sessions.day_ends_at': 'hour_ends_at',
  'online_sessions.day_seconds': 'counted_seconds',
  'online_sessions.day_upload': 'counted_upload',
  'online_sessions.day_download': 'counted_download',
};

async function tables(client: Pool | PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('migrations', 'brands', 'brand_models') order by 1`);
  return rows.map(row => row.name);
}

/** The first of the values that the check of a column allows, for columns with such a list. */
async function allowedValues(client: PoolClient, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; rule: string }>(
    `select a.attname as name, pg_get_constraintdef(c.oid) as rule
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.conrelid = $1::regclass and c.contype = 'c' and cardinality(c.conkey) = 1`,
    [table],
  );
  return new Map(
    rows.flatMap(({ name, rule }) => {
      const first = /^CHECK \(\(\w+ = ANY \(ARRAY\['([^']+)'/.exec(rule)?.[1];
      return first ? [[name, first] as const] : [];
    }),
  );
}

/**
 * Puts a row into every table that has none (two into the history: one of a month, one of the default partition). On an old
 * database before its migrations, and after them for the tables that are new.
 */
export async function fillTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica`);
    for (const table of await tables(client)) {
      if (table === 'clock') continue;
      const { rows: found } = await client.query(`select from ${table} limit 1`);
      if (found.length > 0) continue;
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const choices = await allowedValues(client, table);
      const values = columns.map(({ name, type }) => {
        const key = [`${table}.${name}`, name].find(it => it in byColumn);
        const value = key ? byColumn[key] : (choices.get(name) ?? byType[type]);
        if (value === undefined) throw new Error(`No value for ${table}.${name} of type ${type}`);
        return value;
      });
      const insert = `insert into ${table} (${columns.map(c => `"${c.name}"`).join(', ')})
        values (${columns.map((c, i) => `$${i + 1}::${c.type}`).join(', ')})`;
      await client.query(insert, values);
      if (table === 'session_history')
        await client.query(
          insert,
          values.map((value, i) => (columns[i]!.name === 'started_at' ? '2001-02-03T04:05:06Z' : value)),
        );
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** The rows of every table, under the names of today; each may have more columns in the database. */
export async function tableRows(pool: Pool): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (const table of await tables(pool)) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${table} t`);
    const now = tableNames[table] ?? table;
    const renamed = rows.map(({ row }) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [columnNames[`${now}.${column}`] ?? column, value]),
      ),
    );
    found.set(now, renamed);
  }
  return found;
}
