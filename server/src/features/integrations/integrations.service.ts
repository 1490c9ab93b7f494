import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type ConnectionChange,
  type ConnectionUpdate,
  connectionUpdate,
  type HotelConnection,
  type IntegrationConnection,
  integrationConnection,
  integrationKinds,
  readsTable,
  type ShownConnection,
  typeOf,
} from '@portico/contract/integration-kinds.ts';
import {
  cloudHotelSlugs,
  hotelSlugs,
  type IntegrationSlug,
  type IntegrationType,
  requiredFields,
} from '@portico/contract/integration-names.ts';
import { problemWords } from '@portico/contract/integration-problems.ts';
import { secretsOf } from '@portico/contract/integration-secrets.ts';
import {
  type FieldMapping,
  fieldMapping,
  type Integration,
  type IntegrationChange,
  type IntegrationForm,
} from '@portico/contract/integrations.ts';
import { webhookAccess } from '@portico/contract/webhook-access.ts';
import { sqlState } from '#db/errors.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { countOpenCharges } from '#features/room-charges/public.ts';
import { type Actor, allows, isLimited } from '#http/actor.ts';
import { AppError, found, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { requireSameLocation } from '#http/same-location.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { hotelHookUrl } from './cloud/hook.ts';
import { findLink, saveLink } from './hotel/hotel-links.queries.ts';
import { countGuests } from './hotel/hotel-stays.queries.ts';
import * as queries from './integrations.queries.ts';
import type { Stored, TestResult } from './kinds/kind.ts';
import { rulesOf } from './kinds/kinds.ts';
import { redirectUri } from './openid/redirect-uri.ts';
import { allowedProviders, hookUrl, licenceHookUrl } from './payment/account.ts';
import { keepClosed } from './payment/closed-accounts.queries.ts';
import { problemOf } from './problems.ts';

export type Call = Context & { actor: Actor };

/** The stored connection with its secrets; undefined if it was encrypted with another SECRET_KEY. */
function openConnection(app: App, text: string): Stored | undefined {
  const stored = app.secrets.read(text);
  return stored === undefined ? undefined : (JSON.parse(stored) as Stored);
}
const seal = (app: App, connection: Stored): string => app.secrets.encrypt(JSON.stringify(connection));

/** Where the other side reports to; null if it does not. */
function hookOf({ app, tenant }: Pick<Context, 'app' | 'tenant'>, { id, kind, location_id }: queries.IntegrationRow) {
  if (location_id === null) return licenceHookUrl(app, { slug: tenant.slug, tenantId: tenant.id, kind });
  const at = { tenantId: tenant.id, locationId: location_id };
  if (cloudHotelSlugs.some(slug => slug === kind)) return hotelHookUrl(app, tenant.slug, { ...at, integrationId: id });
  return hookUrl(app, { ...at, slug: tenant.slug, kind });
}

/** A connection without its secrets. */
function shownOf(kind: IntegrationSlug, open: Stored | undefined): ShownConnection | undefined {
  if (!open) return undefined;
  const hidden = new Set(['signing', ...secretsOf[kind].secrets]);
  return Object.fromEntries(Object.entries(open).filter(([key]) => !hidden.has(key))) as ShownConnection;
}

/** An integration as the API returns it: without secrets. */
export function describe(call: Pick<Context, 'app' | 'language' | 'tenant'>, row: queries.IntegrationRow): Integration {
  const { kind, connection, fields, problem, last_error, ...rest } = row;
  const shown = shownOf(kind, openConnection(call.app, connection));
  const current = shown ? problem : 'secret_unreadable';
  const { slug, name, type, logo, connection_type } = integrationKinds.find(it => it.slug === kind)!;
  return {
    ...rest,
    integration_id: kind,
    type: { slug, name, type, logo, connection_type },
    last_error: current && problemWords(current, last_error ?? '', call.language),
    params: { connection: shown ?? null, fields },
    redirect_uri: type === 'social' ? redirectUri(call.app, call.tenant.slug) : null,
    hook_url: hookOf(call, row),
  };
}

/** One integration; of a hotel system also the state of its link. */
export async function getIntegration(call: Call, id: string) {
  const { row, link } = await call.inTenant(async tx => {
    const row = found(await queries.findIntegration(tx, call.actor.reach, id));
    const link = await findLink(tx, id);
    if (!link) return { row, link };
    return { row, link: { ...link, guests: await countGuests(tx, id), open_charges: await countOpenCharges(tx, id) } };
  });
  return { ...describe(call, row), link: link ?? null };
}

/** Tests a connection. A failure is a 422 at the field that it most likely concerns. */
export async function testConnection(
  call: Pick<Context, 'app' | 'language' | 'tenant'>,
  connection: IntegrationConnection,
  to?: string,
  at = '',
): Promise<TestResult[]> {
  const { test, field, problemFields } = rulesOf(connection.type);
  const { app, language, tenant } = call;
  return test({ app, connection, language, brand: tenant.slug, to }).catch((error: unknown) => {
    if ((error as { fields?: unknown }).fields) throw error;
    const problem = problemOf(error);
    const words = problemWords(problem.code, problem.message, language);
    throw invalid({ [`${at}${problemFields?.[problem.code] ?? field}`]: ['connection_failed', { words }] });
  });
}

/** The session profiles of hotel guests must be those of the location. */
async function checkProfiles(
  call: Context,
  connection: IntegrationConnection,
  locationId: string | null,
): Promise<void> {
  if (!isHotel(connection) || locationId === null) return;
  const wanted = [...new Set(connection.profiles.map(it => it.profile_id))];
  const known = await call.inTenant(async tx => Promise.all(wanted.map(id => findPrice(tx, locationId, id))));
  const wrong = connection.profiles.findIndex(it => !known[wanted.indexOf(it.profile_id)]);
  if (wrong >= 0) throw invalid({ [`params.connection.profiles.${wrong}.profile_id`]: 'unknown' });
}

/** Tests a connection that must work before it is saved. Every mapped column must exist in the table. */
async function checkConnection(
  call: Context,
  params: { connection: IntegrationConnection; fields: FieldMapping | null },
  locationId: string | null,
): Promise<void> {
  const { type } = params.connection;
  await checkProfiles(call, params.connection, locationId);
  if (readsTable(type) && !params.fields)
    throw invalid(Object.fromEntries(requiredFields.map(field => [`params.fields.${field}`, 'required'])));
  if (!rulesOf(type).testedOnSave) return;
  const columns = (await testConnection(call, params.connection, undefined, 'params.connection.')).map(it => it.name);
  const wrong = Object.entries(params.fields ?? {}).find(([, column]) => column && !columns.includes(column));
  if (wrong) throw invalid({ [`params.fields.${wrong[0]}`]: 'unknown' });
}

/** A webhook tells nothing that its maker may not read in the panel. `known`: events that it had at this address before. */
function requireReadable(
  actor: Actor,
  connection: IntegrationConnection,
  locationId: string | null,
  known: readonly string[] = [],
): void {
  if (locationId === null) return;
  const wrong = eventsOf(connection).filter(it => !known.includes(it) && !allows(actor, webhookAccess(it), locationId));
  if (wrong.length) throw invalid({ 'params.connection.events': ['events_not_readable', { names: wrong.join(', ') }] });
}

/** A webhook reports every device of its location, so members limited to some devices may not manage one. */
function requireAllDevices(actor: Actor, type: IntegrationType): void {
  if (type === 'webhook' && isLimited(actor)) throw new AppError('not_allowed');
}

/** The integration, for a change. That of a whole tenant reports every customer, so tenant administrators manage it. */
export async function requireManaged(tx: Tx, actor: Actor, id: string, lock?: 'lock'): Promise<queries.IntegrationRow> {
  const row = found(await queries.findIntegration(tx, actor.reach, id, lock));
  if (row.location_id === null && !actor.isTeamAdmin) throw new AppError('not_allowed');
  return row;
}

/** The location of a new integration; null: the whole tenant. */
async function placeOf(tx: Tx, actor: Actor, form: IntegrationForm): Promise<string | null> {
  if (form.location_id !== null) return chooseLocation(tx, actor, form.location_id);
  const isForTenant = form.integration_id === 'webhook' || typeOf(form.integration_id) === 'payment';
  if (!isForTenant) throw invalid({ location_id: 'choose_location' });
  if (!actor.isTeamAdmin) throw new AppError('not_allowed');
  return null;
}

/** A location has one SMS gateway and one mail server, and a tenant one payment account. With two, it would be unclear which one is used. */
const onePer =
  (locationId: string | null) =>
  (error: unknown): never => {
    if (sqlState(error) === '23505')
      throw invalid({ location_id: locationId === null ? 'one_per_tenant' : 'one_per_location' });
    throw error;
  };

export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const eventsOf = (connection: IntegrationConnection) => (connection.type === 'webhook' ? connection.events : []);

/** The events that an address gets already. Another address gets none yet. */
const toldAlready = (old: Stored | undefined, now: IntegrationConnection): readonly string[] =>
  old?.type === 'webhook' && now.type === 'webhook' && old.url === now.url ? old.events : [];

const labelOf = (connection: IntegrationConnection) => (connection.type === 'openid' ? connection.label : undefined);

export async function createIntegration(
  call: Call,
  form: IntegrationForm,
): Promise<Integration & { secret?: string | undefined }> {
  const { app, actor, inTenant } = call;
  const locationId = await inTenant(tx => placeOf(tx, actor, form));
  const { connection } = form.params;
  if (connection.type !== form.integration_id) throw invalid({ integration_id: 'invalid' });
  const type = typeOf(form.integration_id);
  if (connection.type === 'test-payment' && !allowedProviders(app).includes(connection.type))
    throw invalid({ integration_id: 'test_payments_off' });
  requireAllDevices(actor, type);
  requireReadable(actor, connection, locationId);
  const fields = readsTable(form.integration_id) ? (form.params.fields ?? null) : null;
  await checkConnection(call, { connection, fields }, locationId);
  const id = newId();
  const secret = type === 'webhook' ? newSigningSecret() : undefined;
  const stored: Stored = secret ? { ...connection, signing: { secret } } : connection;
  return inTenant(async tx => {
    await queries
      .insertIntegration(tx, {
        id,
        locationId,
        kind: form.integration_id,
        name: form.name,
        connection: seal(app, stored),
        fields,
        events: eventsOf(connection),
        label: labelOf(connection) ?? null,
      })
      .catch(onePer(locationId));
    if (isHotel(connection) && locationId) await saveLink(tx, { id, locationId, currency: connection.currency });
    const row = found(await queries.findIntegration(tx, actor.reach, id));
    await trace(tx, actor, row, { verb: 'create', after: audited(app, row) });
    const made = describe(call, row);
    return secret ? { ...made, secret } : made;
  });
}

/** The audit log's view of an integration. A changed secret shows as changed, without its value. */
function audited(app: App, { kind, name, connection, fields }: queries.IntegrationRow) {
  const { secrets } = secretsOf[kind];
  const open = Object.entries(openConnection(app, connection) ?? {}).map(([key, value]) => [
    secrets.includes(key) ? `secret_${key}` : key,
    value,
  ]);
  return { kind, name, ...Object.fromEntries(open), fields };
}

const trace = (tx: Tx, actor: Actor, row: queries.IntegrationRow, what: Pick<Entry, 'verb' | 'before' | 'after'>) =>
  audit(tx, actor, {
    ...what,
    subject: { type: 'integration', id: row.id, name: row.name },
    locationId: row.location_id,
  });

/** Whether a change leads to another place. */
const hasMoved = (kind: IntegrationSlug, before: Record<string, unknown>, given: Record<string, unknown>): boolean =>
  secretsOf[kind].places.some(place => (given[place] ?? null) !== (before[place] ?? null));

const isHotel = (connection: IntegrationConnection): connection is HotelConnection =>
  hotelSlugs.some(slug => slug === connection.type);

/**
 * The stored connection with a change. `path`: the fields of the body that lead to the connection. A new address, or
 * unreadable secrets, need the secrets entered again.
 */
function merged(
  { language }: Pick<Context, 'language'>,
  { kind, old }: { kind: IntegrationSlug; old: Stored | undefined },
  sent: ConnectionChange,
  path: readonly string[] = [],
): IntegrationConnection {
  const at = path.map(name => `${name}.`).join('');
  if ((sent.type ?? kind) !== kind) throw invalid({ [`${at}type`]: 'invalid' });
  const change = completeForm(connectionUpdate, { type: kind, ...shownOf(kind, old), ...sent }, language, path);
  if (!old) return complete(change, at);
  const { secrets } = secretsOf[kind];
  const [before, given] = [old as Record<string, unknown>, change as Record<string, unknown>];
  const moved = hasMoved(kind, before, given);
  const wrong = moved ? secrets.find(name => before[name] && given[name] === undefined) : undefined;
  if (wrong) throw invalid({ [at + wrong]: 'secret_again' });
  const kept = Object.fromEntries(secrets.map(name => [name, given[name] ?? before[name]]));
  return { ...change, ...kept } as IntegrationConnection;
}

/** The connection after a change, which may be of the fields alone. */
function changedConnection(
  call: Pick<Context, 'language'>,
  stored: { kind: IntegrationSlug; old: Stored | undefined },
  { connection }: NonNullable<IntegrationChange['params']>,
): IntegrationConnection {
  if (connection) return merged(call, stored, connection, ['params', 'connection']);
  if (!stored.old) throw invalid({ 'params.connection': 'required' });
  return stored.old;
}

/** The mapping after a change. Fields that are not sent keep their column; null takes it away. */
function changedFields(stored: FieldMapping | null, params: IntegrationChange['params']): FieldMapping | null {
  const sent = Object.entries(params?.fields ?? {}).filter(([, column]) => column !== undefined);
  if (sent.length === 0) return stored;
  const { success, data } = fieldMapping.safeParse({ ...stored, ...Object.fromEntries(sent) });
  // Only a mapping without stored columns can lack one. The check of the connection names it.
  return success ? data : null;
}

function complete(change: ConnectionUpdate, at: string): IntegrationConnection {
  const { success, data, error } = integrationConnection.safeParse(change);
  if (success) return data;
  throw invalid(Object.fromEntries(error.issues.map(({ path }) => [at + path.join('.'), 'secret_again' as const])));
}

export async function testAgain(
  call: Call,
  id: string,
  { to, ...change }: ConnectionChange & { to?: string | undefined },
) {
  const row = await call.inTenant(tx => requireManaged(tx, call.actor, id));
  const old = openConnection(call.app, row.connection);
  const connection = merged(call, { kind: row.kind, old }, change);
  if (old && connection.type === 'fias' && !hasMoved(row.kind, old, connection)) {
    // A second connection would disturb the link, which is proof enough.
    const link = await call.inTenant(tx => findLink(tx, id));
    if (link?.state === 'up') return [{ name: 'link', value: link.up_since }];
  }
  return testConnection(call, old?.signing ? ({ ...connection, signing: old.signing } as Stored) : connection, to);
}

export async function updateIntegration(call: Call, id: string, form: IntegrationChange): Promise<Integration> {
  const { app, actor, inTenant } = call;
  const row = await inTenant(tx => requireManaged(tx, actor, id));
  requireSameLocation(form.location_id, row);
  const old = openConnection(app, row.connection);
  const type = typeOf(row.kind);
  requireAllDevices(actor, type);
  const connection = form.params && changedConnection(call, { kind: row.kind, old }, form.params);
  const fields = readsTable(row.kind) ? changedFields(row.fields, form.params) : null;
  if (connection && old && connection.type === 'fias' && !hasMoved(row.kind, old, connection))
    // A hotel system takes one connection, which the link has.
    await checkProfiles(call, connection, row.location_id);
  else if (connection) await checkConnection(call, { connection, fields }, row.location_id);
  const saved = await inTenant(async tx => {
    const before = found(await queries.findIntegration(tx, actor.reach, id, 'lock'));
    const stored = openConnection(app, before.connection);
    if (connection && !(sameEntered(old, stored) && isDeepStrictEqual(row.fields, before.fields))) return 'changed';
    if (connection) requireReadable(actor, connection, row.location_id, toldAlready(stored, connection));
    // Read under the lock, because it may have been rotated during the check. An unreadable one is replaced; the user gets the
    // new one by rotating it.
    const signing = stored ? stored.signing : type === 'webhook' ? { secret: newSigningSecret() } : undefined;
    const sealed = connection && seal(app, signing ? { ...connection, signing } : connection);
    await queries.updateIntegration(tx, id, {
      name: form.name,
      connection: sealed,
      fields: connection && fields ? fields : undefined,
      events: connection && eventsOf(connection),
      label: connection && labelOf(connection),
      // A changed integration is read immediately instead of minutes later.
      ...(connection ? { last_tried_at: null } : {}),
    });
    if (connection && isHotel(connection) && row.location_id)
      await saveLink(tx, { id, locationId: row.location_id, currency: connection.currency });
    const now = found(await queries.findIntegration(tx, actor.reach, id));
    await trace(tx, actor, now, { verb: 'update', before: audited(app, before), after: audited(app, now) });
    return describe(call, now);
  });
  // Another change came during the test. What it sent is kept, so this one is tried on top of it.
  return saved === 'changed' ? updateIntegration(call, id, form) : saved;
}

/** Whether what operators entered is the same. A signing secret may have been rotated. */
const sameEntered = (a: Stored | undefined, b: Stored | undefined): boolean =>
  isDeepStrictEqual(a && { ...a, signing: undefined }, b && { ...b, signing: undefined });

export async function deleteIntegration({ app, actor, inTenant }: Call, id: string): Promise<void> {
  await inTenant(async tx => {
    const row = await requireManaged(tx, actor, id, 'lock');
    if (typeOf(row.kind) === 'payment') await keepClosed(tx, id);
    await queries.deleteIntegration(tx, actor.reach, id);
    await trace(tx, actor, row, { verb: 'delete', before: audited(app, row) });
  });
}

const oldSecretHours = 24;

/** Makes a new signing secret. For a day, deliveries are signed with both, so that the receiver can switch. */
export async function rotateSecret({ app, actor, inTenant }: Call, id: string) {
  return inTenant(async tx => {
    const row = await requireManaged(tx, actor, id, 'lock');
    requireAllDevices(actor, typeOf(row.kind));
    const open = openConnection(app, row.connection);
    if (!open) throw new AppError('stored_unreadable');
    const { signing, ...connection } = open;
    if (!signing) throw notFound();
    const until = new Date(Date.now() + oldSecretHours * 3_600_000).toISOString();
    const secret = newSigningSecret();
    const stored = { ...connection, signing: { secret, old: { secret: signing.secret, until } } } as Stored;
    await queries.updateIntegration(tx, id, { connection: seal(app, stored) });
    const now = found(await queries.findIntegration(tx, actor.reach, id));
    await trace(tx, actor, row, { verb: 'update', before: audited(app, row), after: audited(app, now) });
    return { secret, old_until: until };
  });
}
