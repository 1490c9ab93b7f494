import type { MikrotikScriptForm } from '@portico/contract/device-setup.ts';
import { paymentHosts } from '@portico/contract/payment-hosts.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import type { DeviceSetup, SetupFile } from '#routers/driver.ts';
import { driverOf, findDriver } from '#routers/drivers.ts';
import { paymentProviderAt } from './devices.queries.ts';
import { getDevice } from './devices.service.ts';
import { makePollToken, pollUrl } from './poll.service.ts';

type Call = Context & { actor: Actor };
const linkHours = 24;

/** A device and the requested part of its brand's setup; 422 for a brand that has no such part. */
export async function setupOf<Part extends keyof DeviceSetup>(call: Call, id: string, part: Part) {
  const device = await getDevice(call, id);
  const value = driverOf(device.brand.slug).setup[part];
  if (value === undefined) throw invalid({ id: 'other_brand' });
  return { device, value };
}

interface LoginFile {
  readonly nas: string;
  readonly brand: string;
  /** Unix time in seconds. */
  readonly until: number;
}

const signed = (call: Pick<Context, 'app'>, { nas, brand, until }: LoginFile): string =>
  `${nas}.${brand}.${until}.${call.app.secrets.signBriefly(`login-file ${nas} ${brand} ${until}`).slice(0, 32)}`;

export async function scriptOf(call: Call, id: string, form: MikrotikScriptForm): Promise<string> {
  const { device, value: script } = await setupOf(call, id, 'script');
  if (device.secret_unreadable) throw new AppError('secret_unreadable');
  const { settings } = call.app;
  const pollToken = await call.inTenant(tx => makePollToken(tx, id));
  const provider = await call.inTenant(tx => paymentProviderAt(tx, device.location_id));
  const until = Math.floor(Date.now() / 1000) + linkHours * 3600;
  const token = signed(call, { nas: device.nas_identifier, brand: device.brand.slug, until });
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
    openHosts: provider ? paymentHosts[provider] : [],
    poll: { url: pollUrl(call.app, call.tenant.slug, device.nas_identifier), token: pollToken },
    loginFileUrl: `${panelOrigin(settings, call.tenant.slug)}/v1/device/login-file/${token}`,
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

const asFile = (call: Pick<Context, 'reply'>, html: string, name = 'login'): string => {
  void call.reply.header('content-disposition', `attachment; filename="${name}.html"`);
  return html;
};

export async function mikrotikLogin(call: Call, id: string): Promise<string> {
  const { device, value: loginPage } = await setupOf(call, id, 'loginPage');
  return asFile(call, loginPage({ portalUrl: device.portal_url }));
}

export async function sophosTemplate(call: Call, id: string): Promise<string> {
  const { device, value: portalTemplate } = await setupOf(call, id, 'portalTemplate');
  return asFile(call, portalTemplate({ portalUrl: device.portal_url }));
}

/** A page that a router fetches by the signed link of its script. The link is valid for a day. */
export function loginFile(call: Context, token: string, page: string): string {
  const [nas = '', brand = '', until = ''] = token.split('.');
  const isGenuine = token === signed(call, { nas, brand, until: Number(until) }) && Number(until) * 1000 > Date.now();
  const own = captiveOrigin(call.app.settings, call.tenant.slug);
  const html = isGenuine ? findDriver(brand)?.setup.page?.(page, { portalUrl: `${own}/w/${nas}` }) : undefined;
  if (html === undefined) throw notFound();
  return asFile(call, html, page);
}
