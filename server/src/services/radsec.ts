import { radsecAuthority } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { type CertifiedKey, issue } from '#lib/certificates.ts';
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
  const pair = operatorsPair(settings) ?? madePair(authority, settings.RADSEC_HOSTS ?? [hostOf(settings.PUBLIC_URL)]);
  return {
    port: settings.RADSEC_PORT,
    ...pair,
    authority: certificatePem(authority.certificate),
    maxPerAddress: settings.RADSEC_CONNECTIONS_PER_ADDRESS,
  };
}

/** The host that devices are told; where each tenant has one of its own, all of them. */
function hostOf(publicUrl: string): string {
  const host = new URL(publicUrl.replaceAll('{tenant}', 'tenant')).hostname.replace(/^\[|\]$/g, '');
  return publicUrl.includes('{tenant}') ? `*.${host.split('.').slice(1).join('.')}` : host;
}

function madePair(authority: CertifiedKey, hosts: readonly string[]) {
  const until = new Date();
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  const { certificate, privateKey } = issue(authority, {
    purpose: 'server',
    organization: 'Portico',
    commonName: hosts[0]!,
    hosts,
    until,
  });
  return { cert: certificatePem(certificate), key: privateKey };
}
