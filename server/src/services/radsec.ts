import { radsecAuthority } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { issue } from '#lib/certificates.ts';
import { operatorsPair } from '#lib/radsec-files.ts';
import { certificatePem } from '#lib/signer.ts';
import type { RadsecOptions } from '#radius/radsec.ts';

/** Made anew at every start, so it need not outlive a process by much. */
const validYears = 5;

/** What RADIUS over TLS needs, out of the settings and the authority; undefined when it is off. */
export async function radsecOptions(app: App): Promise<RadsecOptions | undefined> {
  const { settings } = app;
  if (!settings.RADSEC_PORT) return undefined;
  const authority = await radsecAuthority(app);
  const pair = operatorsPair(settings) ?? madePair(authority, settings.PUBLIC_URL);
  return { port: settings.RADSEC_PORT, ...pair, authority: certificatePem(authority.certificate) };
}

/** For the host that devices are told; where each tenant has one of its own, for all of them. */
function madePair(authority: Awaited<ReturnType<typeof radsecAuthority>>, publicUrl: string) {
  const host = new URL(publicUrl.replaceAll('{tenant}', 'tenant')).hostname.replace(/^\[|\]$/g, '');
  const commonName = publicUrl.includes('{tenant}') ? `*.${host.split('.').slice(1).join('.')}` : host;
  const until = new Date();
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  const made = issue(authority, {
    purpose: 'server',
    organization: 'Portico',
    commonName,
    hosts: [commonName],
    until,
  });
  return { cert: certificatePem(made.certificate), key: made.privateKey };
}
