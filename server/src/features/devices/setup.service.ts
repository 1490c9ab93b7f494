import type { MikrotikScriptForm } from '@portico/contract/device-setup.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import { mikrotikLoginPage } from '#routers/mikrotik/login-page.ts';
import { mikrotikScript } from '#routers/mikrotik/script.ts';
import { sophosLoginTemplate } from '#routers/sophos/login-template.ts';
import { getDevice } from './devices.service.ts';
import { makePollToken, pollUrl } from './poll.service.ts';

type Call = Context & { actor: Actor };
const linkHours = 24;

/** A device of the brand that an artefact is for; another brand's is a mistake of the caller. */
async function deviceOf(call: Call, id: string, brand: 'mikrotik' | 'sophos') {
  const device = await getDevice(call, id);
  if (device.brand.slug !== brand) throw invalid({ id: 'other_brand' });
  return device;
}

const signed = (call: Pick<Context, 'app'>, nas: string, until: number): string =>
  `${nas}.${until}.${call.app.secrets.sign(`login-file ${nas} ${until}`).slice(0, 32)}`;

export async function scriptOf(call: Call, id: string, form: MikrotikScriptForm): Promise<string> {
  const device = await deviceOf(call, id, 'mikrotik');
  if (device.secret_unreadable) throw new AppError('secret_unreadable');
  const { settings } = call.app;
  const pollToken = await call.inTenant(tx => makePollToken(tx, id));
  const token = signed(call, device.nas_identifier, Math.floor(Date.now() / 1000) + linkHours * 3600);
  return mikrotikScript({
    ...form,
    nasIdentifier: device.nas_identifier,
    secret: device.secret ?? '',
    radius: device.radius,
    // The device's own: a router set up before the setting changed listens where its script said.
    coaPort: device.radius.coa_port,
    syslogPort: settings.SYSLOG_PORT,
    netflowPort: settings.NETFLOW_PORT,
    captiveUrl: captiveOrigin(settings, call.tenant.slug),
    poll: { url: pollUrl(call.app, call.tenant.slug, device.nas_identifier), token: pollToken },
    loginFileUrl: `${panelOrigin(settings, call.tenant.slug)}/v1/device/login-file/${token}`,
  });
}

const asFile = (call: Pick<Context, 'reply'>, html: string): string => {
  void call.reply.header('content-disposition', 'attachment; filename="login.html"');
  return html;
};

export async function mikrotikLogin(call: Call, id: string): Promise<string> {
  const device = await deviceOf(call, id, 'mikrotik');
  return asFile(call, mikrotikLoginPage({ portalUrl: device.portal_url }));
}

export async function sophosTemplate(call: Call, id: string): Promise<string> {
  const device = await deviceOf(call, id, 'sophos');
  return asFile(call, sophosLoginTemplate({ portalUrl: device.portal_url }));
}

/** The login.html that a router fetches by the signed link of its script; the link is good for a day. */
export function loginFile(call: Context, token: string): string {
  const [nas = '', until = ''] = token.split('.');
  const genuine = token === signed(call, nas, Number(until)) && Number(until) * 1000 > Date.now();
  if (!genuine) throw notFound();
  const own = captiveOrigin(call.app.settings, call.tenant.slug);
  return asFile(call, mikrotikLoginPage({ portalUrl: `${own}/w/${nas}` }));
}
