import type { MikrotikScriptForm } from '@portico/contract/device-setup.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { DeviceSetup, SetupFile } from '#routers/driver.ts';
import { driverOf } from '#routers/drivers.ts';
import { getDevice } from './devices.service.ts';
import { asFile, loginFileUrl } from './login-file.service.ts';
import { openHostsAt } from './open-hosts.ts';
import { makePollToken, pollUrl } from './poll.service.ts';

type Call = Context & { actor: Actor };

/** A device and the requested part of its brand's setup; 422 for a brand that has no such part. */
export async function setupOf<Part extends keyof DeviceSetup>(call: Call, id: string, part: Part) {
  const device = await getDevice(call, id);
  const value = driverOf(device.brand.slug).setup[part];
  if (value === undefined) throw invalid({ id: 'other_brand' });
  return { device, value };
}

export async function scriptOf(call: Call, id: string, form: MikrotikScriptForm): Promise<string> {
  const { device, value: script } = await setupOf(call, id, 'script');
  if (device.secret_unreadable) throw new AppError('secret_unreadable');
  const { settings } = call.app;
  const pollToken = await call.inTenant(tx => makePollToken(tx, id));
  return script.make({
    ...form,
    nasIdentifier: device.nas_identifier,
    secret: device.secret ?? '',
    radius: device.radius,
    // The stored port of the device, because a router that was set up before a change of the setting uses the old port.
    coaPort: device.radius.coa_port,
    syslogPort: settings.SYSLOG_PORT,
    netflowPort: settings.NETFLOW_PORT,
    syslogTlsPort: settings.SYSLOG_TLS_PORT,
    radsecPort: settings.RADSEC_PORT,
    captiveUrl: captiveOrigin(settings, call.tenant.slug),
    openHosts: (await openHostsAt(call.app, call.tenant.id, device.location_id)).hosts,
    poll: { url: pollUrl(call.app, call.tenant.slug, device.nas_identifier), token: pollToken },
    loginFileUrl: loginFileUrl(call.app, call.tenant.slug, { nas: device.nas_identifier, brand: device.brand.slug }),
  });
}

/** The configuration for the gateway, made from the present values of the device. */
export async function filesOf(call: Call, id: string): Promise<SetupFile[]> {
  const device = await getDevice(call, id);
  if (device.secret_unreadable) throw new AppError('secret_unreadable');
  const files = driverOf(device.brand.slug).setup.files?.({
    nasIdentifier: device.nas_identifier,
    secret: device.secret ?? '',
    radius: device.radius,
    coaPort: device.radius.coa_port,
    syslogPort: call.app.settings.SYSLOG_PORT,
    portalUrl: device.portal_url,
  });
  void call.reply.header('cache-control', 'no-store');
  return [...(files ?? [])];
}

export async function mikrotikLogin(call: Call, id: string): Promise<string> {
  const { device, value: loginPage } = await setupOf(call, id, 'loginPage');
  return asFile(call, loginPage({ portalUrl: device.portal_url }));
}

export async function sophosTemplate(call: Call, id: string): Promise<string> {
  const { device, value: portalTemplate } = await setupOf(call, id, 'portalTemplate');
  return asFile(call, portalTemplate({ portalUrl: device.portal_url }));
}
