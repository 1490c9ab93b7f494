import type { App } from '#lib/app.ts';
import { type CertifiedKey, makeAuthority } from '#lib/certificates.ts';
import type { CertifiedDevice, RadiusHandlers } from '#radius/types.ts';
import * as queries from './certificates.queries.ts';

/** Inside TLS every device and proxy has the same secret (RFC 6614 section 2.3). */
export const radsecSecret = Buffer.from('radsec');

/** The authority that signs the certificates of all devices of all tenants. It is created when it is first needed. */
export async function radsecAuthority({ db, secrets }: Pick<App, 'db' | 'secrets'>): Promise<CertifiedKey> {
  const find = () => db.withSystem(queries.findAuthority);
  let kept = await find();
  if (!kept) {
    const { privateKey, certificate } = await makeAuthority('Portico');
    await db.withSystem(tx => queries.storeAuthority(tx, { privateKey: secrets.encrypt(privateKey), certificate }));
    kept = await find();
  }
  return { privateKey: opened(secrets, kept!.private_key), certificate: kept!.certificate };
}

function opened(secrets: App['secrets'], kept: string): string {
  try {
    return secrets.decrypt(kept);
  } catch (cause) {
    throw new Error(
      'The certificate authority of RADIUS over TLS cannot be read: it was encrypted with another SECRET_KEY',
      {
        cause,
      },
    );
  }
}

const certified = (row: queries.CertifiedDevice): CertifiedDevice => ({
  id: row.id,
  device: {
    id: row.device_id,
    tenantId: row.tenant_id,
    secret: radsecSecret,
    requireMessageAuthenticator: row.message_authenticator,
  },
  nasIdentifier: row.nas_identifier,
  expiresAt: new Date(row.expires_at),
});

/** The certificate handlers of RADIUS over TLS. */
export const certificateHandlers = ({
  db,
}: Pick<App, 'db'>): Pick<RadiusHandlers, 'resolveCertificates' | 'seenCertificate'> => ({
  resolveCertificates: async fingerprints => {
    const rows = await db.withSystem(tx => queries.findCertified(tx, fingerprints));
    return new Map(rows.map(row => [row.fingerprint.toString('hex'), certified(row)]));
  },
  seenCertificate: async (device, id) => {
    await db.withTenant(device.tenantId, tx => queries.markCertificateSeen(tx, id));
  },
});
