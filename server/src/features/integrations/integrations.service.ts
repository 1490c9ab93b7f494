import {
  type Integration,
  type IntegrationForm,
  type IntegrationUpdate,
  integrationKinds,
  type PmsConnection,
} from '@portico/contract/integrations.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { outboundAddress } from '#lib/outbound.ts';
import * as queries from './integrations.queries.ts';
import { readers } from './pms/pms.ts';
import type { PmsTable } from './pms/reader.ts';

type Call = Context & { actor: Actor };

const openConnection = (app: App, text: string) => JSON.parse(app.secrets.decrypt(text)) as PmsConnection;

export function describe(app: App, { kind, connection, fields, ...row }: queries.IntegrationRow): Integration {
  const { db_password: _, ...shown } = openConnection(app, connection);
  const { slug, name, logo, connection_type } = integrationKinds.find(it => it.slug === kind)!;
  return {
    ...row,
    integration_id: kind,
    type: { slug, name, logo, connection_type },
    params: { connection: shown, fields },
  };
}

/** What the audit log tells of an integration; a changed password shows as changed. */
const audited = (app: App, { kind, name, connection, fields }: queries.IntegrationRow) => ({
  kind,
  name,
  ...openConnection(app, connection),
  fields,
});

const trace = (tx: Tx, actor: Actor, row: queries.IntegrationRow, what: Pick<Entry, 'verb' | 'before' | 'after'>) =>
  audit(tx, actor, {
    ...what,
    subject: { type: 'integration', id: row.id, name: row.name },
    locationId: row.location_id,
  });

/** Plain words of what went wrong, short enough for a screen. */
export const wordsOf = (error: unknown): string =>
  ((error as AggregateError).errors?.[0]?.message ?? (error as Error).message ?? 'Unknown').slice(0, 300);

/** Reads a hotel's table through its own driver, unless its address is one that must not be reached from here. */
export async function readTable(
  app: App,
  connection: PmsConnection,
  columns: readonly string[] | undefined,
  limit: number,
): Promise<PmsTable> {
  const host = await outboundAddress(connection.db_host, app.settings.INTEGRATIONS_INSIDE);
  if (!host) throw new Error('this address is not allowed');
  return readers[connection.type]({ connection, host, columns, limit });
}

/** A connection that cannot be read is the caller's mistake: the field it concerns is the host. */
async function tryTable(app: App, connection: PmsConnection, columns?: readonly string[]): Promise<PmsTable> {
  return readTable(app, connection, columns, 1).catch(error => {
    throw invalid({ db_host: ['connection_failed', { words: wordsOf(error) }] });
  });
}

const shown = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : value instanceof Date
      ? value.toISOString()
      : String(value).slice(0, 120);

export async function testConnection(app: App, connection: PmsConnection) {
  const { columns, rows } = await tryTable(app, connection);
  return columns.map(name => ({ name, value: shown(rows[0]?.[name]) }));
}

export async function createIntegration(call: Call, form: IntegrationForm): Promise<Integration> {
  const { app, actor, inTenant } = call;
  const locationId = await inTenant(tx => chooseLocation(tx, actor, form.location_id));
  if (form.params.connection.type !== form.integration_id) throw invalid({ integration_id: 'invalid' });
  await checkFields(app, form.params);
  const id = newId();
  return inTenant(async tx => {
    const connection = app.secrets.encrypt(JSON.stringify(form.params.connection));
    await queries.insertIntegration(tx, {
      id,
      locationId,
      kind: form.integration_id,
      name: form.name,
      connection,
      fields: form.params.fields,
    });
    const row = found(await queries.findIntegration(tx, actor.reach, id));
    await trace(tx, actor, row, { verb: 'create', after: audited(app, row) });
    return describe(app, row);
  });
}

/** Every mapped column must be one of the table. */
async function checkFields(app: App, params: IntegrationForm['params']): Promise<void> {
  const { columns } = await tryTable(app, params.connection);
  const wrong = Object.entries(params.fields).find(([, column]) => column && !columns.includes(column));
  if (wrong) throw invalid({ [`params.fields.${wrong[0]}`]: 'unknown' });
}

export async function updateIntegration(call: Call, id: string, form: IntegrationUpdate): Promise<Integration> {
  const { app, actor, inTenant } = call;
  const before = found(await inTenant(tx => queries.findIntegration(tx, actor.reach, id)));
  const old = openConnection(app, before.connection);
  const params = form.params && {
    fields: form.params.fields,
    connection: { ...form.params.connection, db_password: form.params.connection.db_password ?? old.db_password },
  };
  if (params) {
    if (params.connection.type !== before.kind) throw invalid({ 'params.connection.type': 'invalid' });
    await checkFields(app, params);
  }
  return inTenant(async tx => {
    const connection = params && app.secrets.encrypt(JSON.stringify(params.connection));
    await queries.updateIntegration(tx, id, { name: form.name, connection, fields: params?.fields });
    const after = found(await queries.findIntegration(tx, actor.reach, id));
    await trace(tx, actor, after, { verb: 'update', before: audited(app, before), after: audited(app, after) });
    return describe(app, after);
  });
}

export async function deleteIntegration({ app, actor, inTenant }: Call, id: string): Promise<void> {
  await inTenant(async tx => {
    const row = found(await queries.findIntegration(tx, actor.reach, id));
    await queries.deleteIntegration(tx, actor.reach, id);
    await trace(tx, actor, row, { verb: 'delete', before: audited(app, row) });
  });
}
