import { radsecAuthority } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { type CertifiedKey, certificatePem, issue } from '#lib/certificates.ts';
import { operatorsPair } from '#lib/radsec-files.ts';
import type { RadsecOptions } from '#radius/radsec.ts';

/** Issued at every start, so it need not be valid much longer than a process runs. */
const validYears = 5;

/** The certificates of RADIUS over TLS, from the settings and the authority; undefined when it is off. */
export async function radsecOptions(app: App): Promise<RadsecOptions | undefined> {
  const { settings } = app;
  if (!settings.RADSEC_PORT) return undefined;
  const authority = await radsecAuthority(app);
  const pair =
    operatorsPair(settings) ?? (await madePair(authority, settings.RADSEC_HOSTS ?? [hostOf(settings.PUBLIC_URL)]));
  return {
    port: settings.RADSEC_PORT,
    ...pair,
    authority: certificatePem(authority.certificate),
    maxPerAddress: settings.RADSEC_CONNECTIONS_PER_ADDRESS,
  };
}

/** The host name in the certificate; a wildcard if each tenant has its own host. */
function hostOf(publicUrl: string): string {
  const host = new URL(publicUrl.replaceAll('{tenant}', 'tenant')).hostname.replace(/^\[|\]$/g, '');
  return publicUrl.includes('{tenant}') ? `*.${host.split('.').slice(1).join('.')}` : host;
}

async function madePair(authority: CertifiedKey, hosts: readonly string[]) {
  const until = new Date();
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  const { certificate, privateKey } = await issue(authority, {
    purpose: 'server',
    organization: 'Portico',
    commonName: hosts[0]!,
    hosts,
    until,
  });
  return { cert: certificatePem(certificate), key: privateKey };
}
