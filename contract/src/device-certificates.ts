import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, name, pageQuery, time, whole } from './fields.ts';

export const certificateStates = ['valid', 'expired', 'revoked'] as const;

/** A certificate of a device for RADIUS and syslog over TLS. */
export const deviceCertificate = z.object({
  id,
  name: z.string(),
  /** Hex. */
  serial: z.string(),
  /** SHA-256 as hexadecimal pairs. */
  fingerprint: z.string(),
  state: z.enum(certificateStates),
  issued_at: time,
  expires_at: time,
  revoked_at: time.nullable(),
  /** When a connection with it was last opened or used, to the minute. */
  last_seen_at: time.nullable(),
});
export type DeviceCertificate = z.output<typeof deviceCertificate>;

/** Returned once, when the certificate is issued. All in PEM. */
export const issuedCertificate = deviceCertificate.extend({
  certificate: z.string(),
  private_key: z.string(),
  /** The certificate with which the device verifies the server. */
  authority: z.string(),
});
export type IssuedCertificate = z.output<typeof issuedCertificate>;

export const certificateForm = z.object({
  name,
  days: whole(1, 3650).default(730),
});
export type CertificateForm = z.output<typeof certificateForm>;

export const deviceCertificatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/certificates',
    access: 'view-devices',
    summary: 'Certificates of a device for RADIUS over TLS, newest first',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(deviceCertificate),
  }),
  issue: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/certificates',
    access: 'update-devices',
    summary: 'Issue a certificate for RADIUS over TLS; only this reply contains the private key',
    params: idParams,
    body: certificateForm,
    reply: one(issuedCertificate),
    status: 201,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/certificates/:certificateId/revoke',
    access: 'update-devices',
    summary: 'Revoke a certificate; its connections end immediately',
    params: z.object({ id, certificateId: id }),
    reply: one(deviceCertificate),
    status: 200,
  }),
} as const;
