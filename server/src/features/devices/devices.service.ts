import { hasSerialNumber } from '@portico/contract/device-kinds.ts';
import {
  type Brand,
  type DeviceByExternalId,
  type DeviceDetail,
  type DeviceForm,
  type DeviceLicense,
  type DeviceUpdate,
  deviceAddress,
  deviceForm,
  deviceSecret,
} from '@portico/contract/devices.ts';
import { protocolOf } from '@portico/contract/router-control.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { checkPeriods, chooseLocation, findLocation } from '#features/locations/public.ts';
import { createProfile } from '#features/profiles/public.ts';
import { disconnectGuests } from '#features/sessions/public.ts';
import { grantDevice } from '#features/team/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import { findByExternalId } from '#http/external-id.ts';
import { requireSameLocation } from '#http/same-location.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import type { Secrets } from '#lib/secrets.ts';
import { portalPath } from '#routers/drivers.ts';
import { requeue } from './commands.queries.ts';
import { pushAll, pushHotspots } from './commands.service.ts';
import { encryptConnection, readConnection, sameRouter } from './connection.service.ts';
import { forgetController, tryAgain } from './controller-states.queries.ts';
import * as queries from './devices.queries.ts';

type Call = Context & { actor: Actor };

/** Decrypts a secret. Throws if it cannot be read, for example after a restore without its SECRET_KEY. */
export function readSecret(secrets: Secrets, stored: string): string {
  const secret = secrets.read(stored);
  if (secret === undefined) throw new AppError('secret_unreadable');
  return secret;
}

const secretOf = (secrets: Secrets, stored: string): Pick<DeviceDetail, 'secret' | 'secret_unreadable'> => {
  const secret = secrets.read(stored);
  return secret === undefined ? { secret_unreadable: true } : { secret };
};

function describe(call: Call, row: queries.DeviceRow): DeviceDetail {
  const { settings, secrets } = call.app;
  const { secret, connection, certificate, coa_port, ...device } = row;
  const reached = readConnection(secrets, connection);
  const host = new URL(panelOrigin(settings, call.tenant.slug)).hostname;
  return {
    ...device,
    ...(may(call.actor, 'update-devices') ? secretOf(secrets, secret) : {}),
    radius: {
      host,
      auth_port: settings.RADIUS_AUTH_PORT,
      acct_port: settings.RADIUS_ACCT_PORT,
      coa_port,
      radsec_port: settings.RADSEC_PORT || null,
    },
    // With an authority of the installation's own, certificates of the product do not count.
    syslog: {
      host,
      port: settings.SYSLOG_PORT,
      tls_port: (!settings.SYSLOG_TLS_CA && settings.SYSLOG_TLS_PORT) || null,
    },
    portal_url: `${captiveOrigin(settings, call.tenant.slug)}${portalPath(row.brand.slug, row.nas_identifier)}`,
    connection: reached
      ? {
          host: reached.host,
          port: reached.port,
          username: reached.username,
          has_password: Boolean(reached.password),
          protocol: protocolOf(reached),
          certificate,
        }
      : null,
  };
}

/** The audit log's view of a device: the settings of people, not the reports of the router. */
function audited(row: queries.DeviceRow) {
  const { name, mac_address, logging_enabled, hotspot_status, hotspot_address, license_end_at, secret, connection } =
    row;
  const { brand, model_id, certificate, portal_periods } = row;
  const plain = { name, mac_address, logging_enabled, hotspot_status, hotspot_address, license_end_at, model_id };
  return { ...plain, brand: brand.name, secret, connection, certificate, portal_periods };
}

export const trace = (
  tx: Tx,
  actor: Actor,
  verb: Entry['verb'],
  row: queries.DeviceRow,
  before?: queries.DeviceRow,
  more: object = {},
) =>
  audit(tx, actor, {
    verb,
    subject: { type: 'device', id: row.id, name: row.name },
    locationId: row.location_id,
    deviceId: row.id,
    before: verb === 'delete' ? audited(row) : before && audited(before),
    after: verb === 'delete' ? null : { ...audited(row), ...more },
  });

const read = async (call: Call, tx: Tx, id: string, scope: Scope = call.actor.reach) =>
  describe(call, found(await queries.findDevice(tx, scope, id)));

/** A device that does not change until the transaction ends. */
async function lockDevice(tx: Tx, { reach }: Actor, id: string): Promise<queries.DeviceRow> {
  found(await queries.findPlace(tx, reach, id, 'lock'));
  // A statement of its own: it sees what was committed until the row was locked.
  return found(await queries.findDevice(tx, reach, id));
}

export const getDevice = (call: Call, id: string) => call.inTenant(tx => read(call, tx, id));

/** A MAC address or, for brands with serial numbers, a serial number. */
function addressOf(brand: Brand, typed: string): string {
  const { success, data } = deviceAddress(brand.slug).safeParse(typed);
  if (!success) throw invalid({ mac_address: hasSerialNumber(brand.slug) ? 'serial_format' : 'mac_format' });
  return data;
}

async function checkBrand(tx: Tx, it: { brandId: string; modelId: string | null | undefined }): Promise<Brand> {
  const brand = await queries.findBrand(tx, it.brandId);
  if (!brand) throw invalid({ brand_id: 'unknown' });
  if (it.modelId && !(await queries.modelOf(tx, it.modelId, brand.id))) throw invalid({ model_id: 'unknown' });
  return brand;
}

/** Only tenant administrators switch logging. Forms of others may contain the current value. */
function checkLogging(actor: Actor, sent: boolean | undefined, before: boolean): void {
  if (sent !== undefined && sent !== before && !actor.isTeamAdmin) throw new AppError('not_allowed');
}

/** The secret that was sent, else a new one. */
function newSecret(sent: string | null | undefined): string {
  if (!sent) return randomWord(32);
  if (!deviceSecret.safeParse(sent).success) throw invalid({ secret: 'secret_format' });
  return sent;
}

/** The secret to store, encrypted. Undefined if none was sent, or the stored one. */
function changedSecret(secrets: Secrets, sent: string | null | undefined, stored: string): string | undefined {
  if (!sent || sent === secrets.read(stored)) return undefined;
  return secrets.encrypt(newSecret(sent));
}

export const createDevice = (call: Call, form: DeviceForm): Promise<DeviceDetail> =>
  call.inTenant(tx => addDevice(tx, call, form));

async function addDevice(
  tx: Tx,
  call: Call,
  form: DeviceForm,
  externalId: string | null = null,
): Promise<DeviceDetail> {
  const { app, actor } = call;
  const {
    location_id,
    user_profile,
    secret,
    connection,
    logging_enabled,
    model_id = null,
    hotspot_address = null,
    portal_periods,
  } = form;
  checkLogging(actor, logging_enabled, true);
  if (user_profile && !may(actor, 'update-location')) throw new AppError('not_allowed');
  const locationId = await chooseLocation(tx, actor, location_id);
  if (externalId && (await queries.externalIdTaken(tx, locationId, externalId))) throw notFound();
  const brand = await checkBrand(tx, { brandId: form.brand_id, modelId: model_id });
  const mac = addressOf(brand, form.mac_address);
  if (await queries.macTaken(tx, mac, null)) throw invalid({ mac_address: 'taken' });
  const id = newId();
  await queries.insertDevice(tx, {
    id,
    external_id: externalId,
    location_id: locationId,
    brand_id: brand.id,
    model_id,
    name: form.name,
    mac_address: mac,
    nas_identifier: randomWord(12),
    secret: app.secrets.encrypt(newSecret(secret)),
    connection: encryptConnection(app.secrets, connection, null) ?? null,
    hotspot_address,
    coaPort: app.settings.COA_PORT,
    trialDays: app.settings.TRIAL_DAYS,
  });
  if (logging_enabled === false) await queries.updateDevice(tx, id, { logging_enabled });
  await checkPeriods(tx, actor, locationId, portal_periods);
  if (portal_periods) await queries.updateDevice(tx, id, { portal_periods: JSON.stringify(portal_periods) });
  if (user_profile) {
    // The default applies to every router of the location, so an existing one stays.
    const { user_profile: current } = found(await queries.findDevice(tx, { kind: 'tenant' }, id));
    await createProfile(tx, actor, { ...user_profile, location_id: locationId, is_default: current === null });
  }
  await grantDevice(tx, id, { userId: actor.userId, locationId });
  // The actor's device limits, read at the start of the request, do not contain the new device yet.
  await trace(tx, actor, 'create', found(await queries.findDevice(tx, { kind: 'tenant' }, id)));
  return read(call, tx, id, { kind: 'tenant' });
}

/** Creates the device with an id of another system, or changes the one in the location where it would be created. */
export const putDevice = (
  call: Call & { body: DeviceByExternalId },
  externalId: string,
): Promise<{ made: boolean; data: DeviceDetail }> =>
  call.inTenant(async tx => {
    const { location_id, secret: _, ...change } = call.body;
    const locationId = await chooseLocation(tx, call.actor, location_id);
    const rows = queries.ofExternalId(call.actor.reach, externalId, locationId);
    const known = await findByExternalId(tx, 'devices', externalId, rows);
    if (known === undefined) {
      const form = completeForm(deviceForm, call.body, call.language);
      return { made: true, data: await addDevice(tx, call, form, externalId) };
    }
    if (!may(call.actor, 'update-devices')) throw new AppError('not_allowed');
    return { made: false, data: await changeDevice(tx, call, known, change) };
  });

export const updateDevice = (call: Call, id: string, form: DeviceUpdate): Promise<DeviceDetail> =>
  call.inTenant(tx => changeDevice(tx, call, id, form));

async function changeDevice(tx: Tx, call: Call, id: string, form: DeviceUpdate): Promise<DeviceDetail> {
  const { app, actor } = call;
  const before = await lockDevice(tx, actor, id);
  checkLogging(actor, form.logging_enabled, before.logging_enabled);
  const {
    brand_id = before.brand_id,
    mac_address = before.mac_address,
    location_id,
    secret,
    connection,
    portal_periods,
    ...rest
  } = form;
  requireSameLocation(location_id, before);
  await checkPeriods(tx, actor, before.location_id, portal_periods, before.portal_periods);
  // A model of the old brand does not fit a new one.
  const model_id = form.model_id !== undefined || brand_id === before.brand_id ? form.model_id : null;
  const brand = await checkBrand(tx, { brandId: brand_id, modelId: model_id });
  const mac = addressOf(brand, mac_address);
  if (await queries.macTaken(tx, mac, id)) throw invalid({ mac_address: 'taken' });
  const kept = encryptConnection(app.secrets, connection, before.connection);
  const opened = (text: string | null) => readConnection(app.secrets, text);
  const other = kept !== undefined && !sameRouter(opened(kept), opened(before.connection));
  const moved = rest.hotspot_address !== undefined && rest.hotspot_address !== before.hotspot_address;
  await queries.updateDevice(tx, id, {
    ...rest,
    brand_id,
    model_id,
    mac_address: mac,
    secret: changedSecret(app.secrets, secret, before.secret),
    connection: kept,
    portal_periods: portal_periods && JSON.stringify(portal_periods),
    // Another router has another certificate.
    ...(other ? { certificate: null } : {}),
    // Learned again if the address is removed.
    ...(moved ? { login_hosts: [], login_hosts_at: null } : {}),
  });
  // Commands that failed under the old settings may work under the new ones.
  if (kept) await requeue(tx, id, null);
  if (kept) await tryAgain(tx, id);
  if (kept === null || brand_id !== before.brand_id) await forgetController(tx, id);
  if (kept && other) await pushAll(tx, { deviceId: id, userId: actor.userId });
  await trace(tx, actor, 'update', found(await queries.findDevice(tx, actor.reach, id)), before);
  return read(call, tx, id);
}

export async function deleteDevice(call: Call, id: string): Promise<void> {
  const find = async (tx: Tx) => found(await queries.findDevice(tx, call.actor.reach, id));
  await call.inTenant(find);
  await disconnectGuests(call, call.actor, { deviceIds: [id] });
  await call.inTenant(async tx => {
    const device = await find(tx);
    foundAgain(await queries.deleteDevices(tx, [id]));
    await trace(tx, call.actor, 'delete', device);
  });
}

/** Tenant administrators license any device. A reseller may turn a trial into a licence, but not renew one. */
export const licenseDevice = (call: Call, id: string, { year, expected_end_at }: DeviceLicense) =>
  call.inTenant(async tx => {
    const device = await lockDevice(tx, call.actor, id);
    // First: who saw a trial that a colleague has licensed since is told so, not that it is forbidden.
    checkExpected(expectedEnd(expected_end_at, device.license_end_at));
    if (!call.actor.isTeamAdmin && !device.is_trial) throw new AppError('device_renewal');
    await queries.licenseDevice(tx, id, year);
    const licensed = found(await queries.findDevice(tx, call.actor.reach, id));
    await trace(tx, call.actor, 'update', licensed, device, { license_years: year });
    return read(call, tx, id);
  });

/** Only the new secret is valid from now on. Guests cannot sign in until the router has it. */
export const renewSecret = (call: Call, id: string) =>
  call.inTenant(async tx => {
    const before = await lockDevice(tx, call.actor, id);
    await queries.updateDevice(tx, id, { secret: call.app.secrets.encrypt(randomWord(32)) });
    await trace(tx, call.actor, 'update', found(await queries.findDevice(tx, call.actor.reach, id)), before);
    return read(call, tx, id);
  });

/** For a router that was reset or replaced: its next certificate is pinned, and failed commands are sent again. */
export const forgetCertificate = (call: Call, id: string): Promise<void> =>
  call.inTenant(async tx => {
    const device = await lockDevice(tx, call.actor, id);
    if (device.certificate === null) return;
    await queries.updateDevice(tx, id, { certificate: null });
    await tryAgain(tx, id);
    await requeue(tx, id, null);
    await trace(tx, call.actor, 'update', { ...device, certificate: null }, device);
  });

/** With the hotspot off, every sign-in at the device is refused. It can be switched only while service runs. */
export const setHotspot = (call: Call, id: string, hotspot_status: boolean) =>
  call.inTenant(async tx => {
    const device = await lockDevice(tx, call.actor, id);
    if (!device.has_mikrolink_subscription) throw await whyStopped(tx, call.actor, device);
    await switchHotspots(tx, call.actor, [device], hotspot_status);
    return read(call, tx, id);
  });

/** Why the service of a device does not run. */
export async function whyStopped(tx: Tx, actor: Actor, device: queries.DeviceRow): Promise<AppError> {
  const location = await findLocation(tx, actor, device.location_id);
  return new AppError(location?.suspended_at ? 'service_suspended' : 'no_subscription');
}

export async function switchHotspots(
  tx: Tx,
  actor: Actor,
  devices: readonly queries.DeviceRow[],
  on: boolean,
): Promise<void> {
  const deviceIds = devices.map(it => it.id);
  await queries.switchHotspots(tx, deviceIds, on);
  await pushHotspots(tx, { deviceIds, userId: actor.userId }, on);
  for (const device of devices) await trace(tx, actor, 'update', { ...device, hotspot_status: on }, device);
}
