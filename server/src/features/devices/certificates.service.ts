import { createHash, X509Certificate } from 'node:crypto';
import type { CertificateForm, DeviceCertificate, IssuedCertificate } from '@portico/contract/device-certificates.ts';
import { takesCertificates } from '@portico/contract/device-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { certificatePem, issue } from '#lib/certificates.ts';
import { newId } from '#lib/ids.ts';
import { operatorsChain } from '#lib/radsec-files.ts';
import * as queries from './certificates.queries.ts';
import { radsecAuthority } from './certificates.radius.ts';
import { findDevice, findPlace } from './devices.queries.ts';

type Call = Context & { actor: Actor };

/** Maximum number of valid certificates per device. */
const maxValid = 10;
const dayMs = 86_400_000;

export async function listCertificates(tx: Tx, actor: Actor, deviceId: string, at: { page: number; per_page: number }) {
  found(await findPlace(tx, actor.reach, deviceId));
  return queries.listCertificates(tx, deviceId, at);
}

interface Trace extends Pick<Entry, 'verb' | 'before' | 'after'> {
  readonly deviceId: string;
  readonly locationId: string;
  readonly certificate: DeviceCertificate;
}

const trace = (tx: Tx, actor: Actor, { certificate: { id, name }, ...what }: Trace) =>
  audit(tx, actor, { ...what, subject: { type: 'device-certificate', id, name } });

/** The private key is in the reply only. It is not stored. */
export async function issueCertificate(
  call: Call,
  deviceId: string,
  form: CertificateForm,
): Promise<IssuedCertificate> {
  const { app, actor } = call;
  const device = found(await call.inTenant(tx => findDevice(tx, actor.reach, deviceId)));
  if (!takesCertificates(device.brand.slug)) throw notFound();
  if (!app.settings.RADSEC_PORT && !app.settings.SYSLOG_TLS_PORT) throw new AppError('radsec_off');
  const authority = await radsecAuthority(app);
  const signer = new X509Certificate(authority.certificate);
  const until = new Date(Math.min(Date.now() + form.days * dayMs, Date.parse(signer.validTo)));
  const made = await issue(authority, {
    purpose: 'client',
    organization: call.tenant.slug,
    commonName: device.nas_identifier,
    until,
  });
  const { serialNumber: serial, raw, validTo } = new X509Certificate(made.certificate);
  const fingerprint = createHash('sha256').update(raw).digest();
  return call.inTenant(async tx => {
    // Locked, so that two requests at once cannot exceed the maximum.
    const { location_id: locationId } = found(await findPlace(tx, actor.reach, deviceId, 'lock'));
    if ((await queries.countValid(tx, deviceId)) >= maxValid)
      throw new AppError('certificates_enough', { values: { most: maxValid } });
    const id = newId();
    const expiresAt = new Date(validTo);
    await queries.insertCertificate(tx, { id, deviceId, name: form.name, serial, fingerprint, expiresAt });
    const certificate = found(await queries.findCertificate(tx, deviceId, id));
    const { expires_at } = certificate;
    await trace(tx, actor, { verb: 'create', deviceId, locationId, certificate, after: { serial, expires_at } });
    return {
      ...certificate,
      certificate: certificatePem(made.certificate),
      private_key: made.privateKey,
      authority: operatorsChain(app.settings) ?? certificatePem(authority.certificate),
    };
  });
}

/** Revoking twice changes nothing and writes no second audit entry. */
export async function revokeCertificate(
  tx: Tx,
  actor: Actor,
  at: { id: string; certificateId: string },
): Promise<DeviceCertificate> {
  const { location_id: locationId } = found(await findPlace(tx, actor.reach, at.id));
  const before = found(await queries.findCertificate(tx, at.id, at.certificateId));
  if (!(await queries.revokeCertificate(tx, before.id))) return before;
  const certificate = found(await queries.findCertificate(tx, at.id, at.certificateId));
  const states = { before: { state: before.state }, after: { state: certificate.state } };
  await trace(tx, actor, { verb: 'revoke', deviceId: at.id, locationId, certificate, ...states });
  return certificate;
}
