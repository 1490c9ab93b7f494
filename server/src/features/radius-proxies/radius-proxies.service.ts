import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import type {
  RadiusProxyCertificate,
  RadiusProxyChange,
  RadiusProxyForm,
  RadiusProxyRow,
  RadiusProxyWithSecret,
} from '@portico/contract/radius-proxies.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { radsecAuthority } from '#features/devices/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { certificatePem, issue } from '#lib/certificates.ts';
import { newId } from '#lib/ids.ts';
import { operatorsChain } from '#lib/radsec-files.ts';
import * as queries from './radius-proxies.queries.ts';

type Call = Context & { actor: Actor };

const maxProxies = 100;
const dayMs = 86_400_000;
const newSecret = (): string => randomBytes(24).toString('base64url');

const subjectOf = ({ id, name }: RadiusProxyRow) => ({ type: 'radius-proxy' as const, id, name });
const settingsOf = ({ name, address, location_ids, require_message_authenticator }: RadiusProxyRow) => ({
  ...{ name, address, location_ids, require_message_authenticator },
});

/** A mistyped location must not become "all locations", and a foreign one must not be named. */
async function check(tx: Tx, form: RadiusProxyChange, exceptId: string | null): Promise<void> {
  if (form.address && (await queries.addressTaken(tx, form.address, exceptId))) throw invalid({ address: 'taken' });
  const ids = [...new Set(form.location_ids ?? [])];
  if (ids.length > 0 && (await queries.countLocations(tx, ids)) < ids.length)
    throw invalid({ location_ids: 'unknown' });
}

export async function createProxy(call: Call, form: RadiusProxyForm): Promise<RadiusProxyWithSecret> {
  const { actor, app } = call;
  const { location_ids, secret: typed, address = null, ...values } = form;
  const secret = typed ?? newSecret();
  return call.inTenant(async tx => {
    await check(tx, form, null);
    if ((await queries.countProxies(tx)) >= maxProxies) throw invalid({ name: 'too_many_proxies' });
    const id = newId();
    await queries.insertProxy(tx, id, {
      ...values,
      address,
      locations: location_ids ?? [],
      secret: app.secrets.encrypt(secret),
    });
    const made = found(await queries.findProxy(tx, id));
    await audit(tx, actor, { verb: 'create', subject: subjectOf(made), locationId: null, after: settingsOf(made) });
    return { ...made, secret };
  });
}

export async function updateProxy(call: Call, id: string, form: RadiusProxyChange): Promise<RadiusProxyRow> {
  const { actor, app } = call;
  const { location_ids, secret, ...values } = form;
  return call.inTenant(async tx => {
    const before = found(await queries.findProxy(tx, id, 'lock'));
    await check(tx, form, id);
    await queries.updateProxy(tx, id, {
      ...values,
      ...(location_ids !== undefined && { locations: location_ids ?? [] }),
      ...(secret && { secret: app.secrets.encrypt(secret) }),
    });
    const after = found(await queries.findProxy(tx, id));
    await audit(tx, actor, {
      verb: 'update',
      subject: subjectOf(after),
      locationId: null,
      before: settingsOf(before),
      after: { ...settingsOf(after), ...(secret && { secret }) },
    });
    return after;
  });
}

export async function renewSecret(call: Call, id: string): Promise<RadiusProxyWithSecret> {
  const secret = newSecret();
  return { ...(await updateProxy(call, id, { secret })), secret };
}

/** The private key is in the reply only. It is not stored. */
export async function issueCertificate(call: Call, id: string, days: number): Promise<RadiusProxyCertificate> {
  const { app, actor } = call;
  found(await call.inTenant(tx => queries.findProxy(tx, id)));
  if (!app.settings.RADSEC_PORT) throw new AppError('radsec_off');
  const authority = await radsecAuthority(app);
  const signer = new X509Certificate(authority.certificate);
  const until = new Date(Math.min(Date.now() + days * dayMs, Date.parse(signer.validTo)));
  const made = await issue(authority, {
    ...{ purpose: 'client', organization: call.tenant.slug, commonName: `proxy-${id}`, until },
  });
  const { serialNumber: serial, raw, validTo } = new X509Certificate(made.certificate);
  const fingerprint = createHash('sha256').update(raw).digest();
  const proxy = await call.inTenant(async tx => {
    const before = found(await queries.findProxy(tx, id, 'lock'));
    await queries.setCertificate(tx, id, { serial, fingerprint, expiresAt: new Date(validTo) });
    const after = found(await queries.findProxy(tx, id));
    await audit(tx, actor, {
      verb: 'update',
      subject: subjectOf(after),
      locationId: null,
      before: { certificate: before.certificate?.serial ?? null },
      after: { certificate: serial },
    });
    return after;
  });
  return {
    proxy,
    certificate: certificatePem(made.certificate),
    private_key: made.privateKey,
    authority: operatorsChain(app.settings) ?? certificatePem(authority.certificate),
  };
}

/** Revoking twice changes nothing and writes no second audit entry. */
export const revokeCertificate = (call: Call, id: string): Promise<RadiusProxyRow> =>
  call.inTenant(async tx => {
    const before = found(await queries.findProxy(tx, id, 'lock'));
    if (!before.certificate) return before;
    await queries.setCertificate(tx, id, null);
    const after = found(await queries.findProxy(tx, id));
    await audit(tx, call.actor, {
      verb: 'revoke',
      subject: subjectOf(after),
      locationId: null,
      before: { certificate: before.certificate.serial },
      after: { certificate: null },
    });
    return after;
  });

export const deleteProxy = (call: Call, id: string): Promise<void> =>
  call.inTenant(async tx => {
    const before = found(await queries.findProxy(tx, id, 'lock'));
    await queries.deleteProxy(tx, id);
    await audit(tx, call.actor, {
      verb: 'delete',
      subject: subjectOf(before),
      locationId: null,
      before: settingsOf(before),
    });
  });
